internal import TakeupFiles

/// How the writer of a file says that it is whole, besides leaving it alone.
public enum ReadyMarker: Sendable, Equatable {
    /// Not at all.
    case none
    /// By a second file beside it that has this ending after the whole name, as in `clip.mov.done`.
    ///
    /// Only its presence counts; the digest in an `.md5` is not compared.
    case beside(suffix: String)

    static let mostSuffixBytes = 32

    /// Reads a setting: `none`, or an ending such as `.done`.
    ///
    /// - Throws: `WatchError.unreadable`.
    public init(setting text: String) throws(WatchError) {
        guard text != "none" else {
            self = .none
            return
        }
        guard Folder.isHidden(text), text.utf8.count > 1,
            text.utf8.count <= Self.mostSuffixBytes, !Folder.hasSlash(text), text != "..",
            !text.utf8.contains(where: { $0 < 0x20 })
        else {
            throw .unreadable(
                setting: "ready marker",
                reason: "“\(text)” is not “none” or an ending such as “.done”")
        }
        self = .beside(suffix: text)
    }

    /// Whether a file need not be waited for.
    ///
    /// - Parameters:
    ///   - path: The file's.
    ///   - isThere: Whether a file is there.
    /// - Returns: `false` for a marker itself, too.
    /// - Throws: What `isThere` throws when that cannot be told.
    public func isReady<Unknown>(
        _ path: String, isThere: (String) throws(Unknown) -> Bool
    ) throws(Unknown) -> Bool {
        guard case .beside(let suffix) = self else { return true }
        return path.hasSuffix(suffix) ? false : try isThere(path + suffix)
    }
}
