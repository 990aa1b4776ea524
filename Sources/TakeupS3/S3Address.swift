/// A place in an object store: `s3://bucket/key`, where the key may be the beginning of others.
public struct S3Address: Hashable, Sendable {
    /// How every such address begins.
    public static let scheme = "s3://"
    /// The longest key that object stores accept, in bytes.
    static let longestKey = 1024

    public let bucket: String
    /// Without a slash at its beginning; empty for the bucket itself.
    public let key: String

    /// Parses an address.
    ///
    /// - Returns: nil without a valid bucket name, and for a key that a server or a proxy could read differently: with
    ///   an empty segment, a dot segment or a control character.
    public init?(_ text: String) {
        guard text.lowercased().hasPrefix(Self.scheme) else { return nil }
        let rest = text.dropFirst(Self.scheme.count)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        self.init(bucket: String(rest[..<slash]), key: String(rest[slash...].dropFirst()))
    }

    /// - Returns: nil as `init(_:)`.
    public init?(bucket: String, key: String) {
        guard Self.isBucket(bucket), key.utf8.count <= Self.longestKey,
            key.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        let segments = key.split(separator: "/", omittingEmptySubsequences: false)
        let isClear = segments.allSatisfy { $0 != "." && $0 != ".." }
        guard isClear, segments.dropLast().allSatisfy({ !$0.isEmpty }) else { return nil }
        (self.bucket, self.key) = (bucket, key)
    }

    /// Whether a text is meant as such an address.
    public static func isMeant(by text: String) -> Bool {
        text.prefix(scheme.count).lowercased() == scheme
    }

    /// - Note: Source: "General purpose bucket naming rules" of Amazon S3.
    private static func isBucket(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        let isAlphanumeric: (UInt8) -> Bool = {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0)
        }
        guard (3...63).contains(bytes.count), let first = bytes.first, let last = bytes.last,
            isAlphanumeric(first), isAlphanumeric(last), !name.contains("..")
        else { return false }
        return bytes.allSatisfy { isAlphanumeric($0) || $0 == 0x2D || $0 == 0x2E }
    }
}

extension S3Address: CustomStringConvertible {
    public var description: String { key.isEmpty ? "s3://\(bucket)" : "s3://\(bucket)/\(key)" }
}
