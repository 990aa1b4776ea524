/// File names in a source's folder.
enum SourceLayout {
    /// Lock file; the one writing process holds the lock.
    static let lock = "lock"
    static let journal = "blocks"
    static let entry = "entry.json"

    /// Returns the data file name of a generation.
    ///
    /// Versions never share a file, because somebody may still read the old one.
    static func data(_ generation: Int64) -> String { "data-\(generation)" }

    static func isData(_ name: String) -> Bool {
        name.hasPrefix("data-") && Int64(name.dropFirst(5)) != nil
    }

    /// Returns whether a file is left over from a replacement that a kill interrupted.
    static func isLeftover(_ name: String) -> Bool {
        name.hasPrefix(".takeup-") && name.hasSuffix(".partial")
    }
}
