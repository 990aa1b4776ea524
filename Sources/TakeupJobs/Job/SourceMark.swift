public import TakeupFiles

/// What a file was when a job was accepted, so that another one in its place is noticed.
///
/// Its content is not read for this; another file with the same size and time passes for the same.
public struct SourceMark: Sendable, Hashable, Codable {
    public let bytes: Int64
    public let modifiedNanoseconds: Int64

    public init(_ identity: FileIdentity) {
        (bytes, modifiedNanoseconds) = (identity.bytes, identity.modifiedNanoseconds)
    }

    /// - Returns: nil for an address, and for what is no file now.
    public static func of(_ source: String) -> SourceMark? {
        guard !SourceText.isAddress(source) else { return nil }
        return FileIdentity(path: source).map(SourceMark.init)
    }
}
