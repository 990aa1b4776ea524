/// What a user calls a job: the `id` of its description, or a key made from what it does.
public struct JobID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The longest name, in bytes.
    public static let longest = 200
    /// What a name may be, in words.
    public static let rule =
        "use 1 to \(longest) bytes without / and control characters, not beginning with a dash"

    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public var description: String { rawValue }

    /// Whether a job can be called so; see `rule`.
    public var isUsable: Bool {
        (1...Self.longest).contains(rawValue.utf8.count) && rawValue != "." && rawValue != ".."
            && rawValue.utf8.first != UInt8(ascii: "-")
            && rawValue.unicodeScalars.allSatisfy {
                $0 != "/" && $0.properties.generalCategory != .control
            }
    }
}
