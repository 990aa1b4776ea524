/// How the writer of a file says that it is whole, besides leaving it alone.
public enum ReadyMarker: Sendable, Equatable {
    /// Not at all.
    case none
    /// By a second file beside it that has this ending after the whole name, as in `clip.mov.done`.
    ///
    /// Only its presence counts; the digest in an `.md5` is not compared.
    case beside(suffix: String)
    /// By moving it into its name; a file that was written under its name never counts.
    case onlyRenamed

    static let mostSuffixBytes = 32

    /// Reads a setting: `none`, `renamed`, or an ending such as `.done`.
    ///
    /// - Throws: `WatchError.unreadable`.
    public init(setting text: String) throws(WatchError) {
        switch text {
        case "none": self = .none
        case "renamed": self = .onlyRenamed
        default:
            guard text.hasPrefix("."), text.utf8.count > 1,
                text.utf8.count <= Self.mostSuffixBytes, !text.contains("/"), text != "..",
                !text.utf8.contains(where: { $0 < 0x20 })
            else {
                throw .unreadable(
                    setting: "ready marker",
                    reason: "“\(text)” is not “none”, “renamed” or an ending such as “.done”")
            }
            self = .beside(suffix: text)
        }
    }

    /// The marker that a file needs beside it; nil where none does.
    public func marker(of path: String) -> String? {
        switch self {
        case .none, .onlyRenamed: nil
        case .beside(let suffix): path + suffix
        }
    }

    /// The file that a name marks as ready; nil for a name that is no marker.
    public func marked(by path: String) -> String? {
        guard case .beside(let suffix) = self, path.hasSuffix(suffix) else { return nil }
        let file = path.dropLast(suffix.count)
        return file.isEmpty || file.hasSuffix("/") ? nil : String(file)
    }

    /// Why a file is still to be waited for.
    ///
    /// - Parameters:
    ///   - path: The file's.
    ///   - wasMovedIn: Whether it was seen to be moved into its name.
    ///   - isThere: Whether a file is there.
    /// - Returns: The reason in words; nil for a file that is ready.
    public func reasonToWait(
        _ path: String, wasMovedIn: Bool, isThere: (String) -> Bool
    ) -> String? {
        switch self {
        case .none: return nil
        case .onlyRenamed: return wasMovedIn ? nil : "it was not moved into its name"
        case .beside(let suffix):
            if marked(by: path) != nil { return "it is a marker itself" }
            return isThere(path + suffix) ? nil : "there is no marker “\(suffix)” beside it"
        }
    }
}
