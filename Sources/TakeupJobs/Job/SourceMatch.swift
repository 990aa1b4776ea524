internal import TakeupFiles

/// Jobs by what they are made from: a file, everything in a folder, or an address.
public struct SourceMatch: Sendable, Equatable {
    /// A path from the root without a slash at its end, or an address.
    public let place: String

    /// - Parameters:
    ///   - text: A path, or an address, whose query may be left out.
    ///   - folder: Where relative paths start; absolute.
    public init(_ text: String, from folder: String) {
        place = SourceText.isAddress(text) ? text : SourceText.absolute(text, from: folder)
    }

    /// - Parameter place: A place as another machine names it, which knows what it stands for.
    public init(verbatim place: String) { self.place = place }

    /// Whether a job's source is this place, or lies in it; compares bytes, as file systems do.
    public func includes(_ source: String) -> Bool {
        guard source.utf8.starts(with: place.utf8) else { return false }
        let rest = source.utf8.dropFirst(place.utf8.count)
        guard let next = rest.first, !Folder.endsInSlash(place) else { return true }
        return next == UInt8(ascii: "/")
            || next == UInt8(ascii: "?") && SourceText.isAddress(source)
    }
}
