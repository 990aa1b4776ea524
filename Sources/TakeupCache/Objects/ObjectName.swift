/// The name of a file in the cache: the hash of its content and its kind, and nothing that came from outside.
public struct ObjectName: Sendable, Hashable {
    /// The kinds of files that are kept.
    public enum FileExtension: String, Sendable {
        case mp4, m4a
    }

    /// 64 lower-case hexadecimal digits.
    public let sha256: String
    public let fileExtension: FileExtension

    /// - Returns: nil when `sha256` is not 64 lower-case hexadecimal digits.
    public init?(sha256: String, fileExtension: FileExtension) {
        guard sha256.utf8.count == 64, sha256.utf8.allSatisfy(Self.isHexadecimal) else {
            return nil
        }
        (self.sha256, self.fileExtension) = (sha256, fileExtension)
    }

    /// Reads a file's name; nil for a name that no file of the cache has.
    ///
    /// - Parameter fileName: As `fileName` gives it.
    public init?(fileName: String) {
        let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = FileExtension(rawValue: String(parts[1])) else {
            return nil
        }
        self.init(sha256: String(parts[0]), fileExtension: kind)
    }

    public var fileName: String { "\(sha256).\(fileExtension.rawValue)" }

    /// The folder that it is in.
    package var shard: String { String(sha256.prefix(2)) }

    static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
