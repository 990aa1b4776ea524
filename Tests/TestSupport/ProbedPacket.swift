/// One packet as `ffprobe` lists it, in file order.
public struct ProbedPacket: Decodable, Sendable {
    struct List: Decodable {
        let packets: [ProbedPacket]
    }

    private enum CodingKeys: String, CodingKey {
        case flags
        case type = "codec_type"
        case streamIndex = "stream_index"
        case ptsTicks = "pts"
        case dtsTicks = "dts"
        case durationTicks = "duration"
        case ptsText = "pts_time"
        case dtsText = "dts_time"
        case durationText = "duration_time"
        case sizeText = "size"
    }

    /// Such as `video`.
    public let type: String
    public let streamIndex: Int
    /// In ticks of the stream's time base, nil when the container has none.
    public let ptsTicks: Int64?
    public let dtsTicks: Int64?
    public let durationTicks: Int64?
    /// `K` a keyframe, `D` to be decoded but not shown.
    public let flags: String
    private let ptsText: String?
    private let dtsText: String?
    private let durationText: String?
    private let sizeText: String

    /// In seconds, rounded to microseconds.
    public var pts: Double? { ptsText.flatMap { Double($0) } }
    /// In seconds, rounded to microseconds.
    public var dts: Double? { dtsText.flatMap { Double($0) } }
    /// In seconds, rounded to microseconds.
    public var duration: Double? { durationText.flatMap { Double($0) } }
    /// In bytes.
    public var size: Int { Int(sizeText) ?? -1 }
    public var isKey: Bool { flags.contains("K") }
    /// Whether it lies outside the edit list: decoded, never shown.
    public var isDiscarded: Bool { flags.contains("D") }
}
