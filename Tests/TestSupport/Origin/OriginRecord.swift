/// One request that a `TestOrigin` got and what became of it.
public struct OriginRecord: Sendable, Equatable, Codable {
    /// From 0 on, over all paths.
    public var number: Int
    /// Which connection, from 0 on.
    public var connection: Int
    public var method: String
    /// As it was sent, without decoding.
    public var path: String
    public var query: String?
    public var fields: [OriginField]
    /// 0 when the connection ended without an answer.
    public var status: Int
    /// Bytes of the body that the system has taken, without the framing of chunks.
    public var bodyBytes: Int64 = 0
    /// How often its body has stood still, counted when that begins.
    public var stalls = 0
    /// When the head was there, seconds since the origin began.
    public var seconds: Double
    /// When the answer was over; nil while it is under way.
    public var endSeconds: Double?
    /// How the answer ended; nil while it is under way.
    public var ending: OriginEnding?

    /// The `Range` field.
    public var range: String? { fields["Range"] }
}
