internal import TakeupFiles
internal import TakeupModel

/// A job's source by its text alone: a path, or an address that has to be fetched.
public enum SourceText {
    private static let objectScheme = "s3://"
    private static let schemes = ["http://", "https://", objectScheme]

    /// Whether it is an http or https address, or one of an object store.
    public static func isAddress(_ source: String) -> Bool {
        let head = source.prefix(8).lowercased()
        return schemes.contains { head.hasPrefix($0) }
    }

    /// Whether it is an address of an object store.
    public static func isObject(_ place: String) -> Bool {
        place.prefix(objectScheme.count).lowercased() == objectScheme
    }

    /// A path from the root, without empty and `.` parts; `..` stays, for it may lie behind a link.
    public static func absolute(_ path: String, from folder: String) -> String {
        let whole = Folder.isAbsolute(path) ? path : "\(folder)/\(path)"
        let parts = Folder.names(of: whole).filter { $0 != "." }
        return "/" + parts.joined(separator: "/")
    }

    /// What may be shown and stored for people: an address without user, password, query and fragment, which hold
    /// secrets; a path as it is.
    public static func shown(_ source: String) -> String {
        guard isAddress(source), let slashes = source.firstRange(of: "//") else { return source }
        let rest = source[slashes.upperBound...].unicodeScalars
        let end = rest.firstIndex { $0 == "?" || $0 == "#" } ?? rest.endIndex
        let place = rest[..<end]
        let host = place.prefix { $0 != "/" && $0 != "\\" }
        let start = host.lastIndex(of: "@").map { place.index(after: $0) } ?? place.startIndex
        let mark = rest[end...].first == "?" ? "?…" : ""
        return "\(source[..<slashes.upperBound])\(Substring(place[start...]))\(mark)"
    }
}

extension JobSpec {
    /// The sources as they may be shown.
    public var shownSources: [String] { request.sources.map(SourceText.shown) }
}
