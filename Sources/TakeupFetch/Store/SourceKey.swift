internal import TakeupDigest

/// The name of a source on disk: the SHA-256 of its canonical address, which reveals nothing of the
/// address.
public struct SourceKey: Hashable, Sendable, CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    public let description: String

    /// - Parameter address: The canonical address, equal for all addresses of the same source.
    public init(address: String) {
        description = SHA256Digest.of(address)
    }

    /// - Returns: nil for anything but 64 lower-case hexadecimal digits.
    public init?(_ text: String) {
        guard text.utf8.count == 64, Self.isHexadecimal(text) else { return nil }
        description = text
    }

    /// Name of the folder that contains this source's folder.
    var shard: String { String(description.prefix(2)) }

    static func isShard(_ name: String) -> Bool { name.utf8.count == 2 && isHexadecimal(name) }

    private static func isHexadecimal(_ text: String) -> Bool {
        text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
