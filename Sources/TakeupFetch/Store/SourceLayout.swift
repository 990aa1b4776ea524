/// The names in a source's folder.
enum SourceLayout {
    /// Locked by the one process that writes.
    static let lock = "lock"
    static let journal = "blocks"
    static let entry = "entry.json"

    /// The bytes of one generation: another version never comes into a file that somebody still reads.
    static func data(_ generation: Int64) -> String { "data-\(generation)" }

    static func isData(_ name: String) -> Bool {
        name.hasPrefix("data-") && Int64(name.dropFirst(5)) != nil
    }

    /// What a kill may leave of a file that was being replaced.
    static func isLeftover(_ name: String) -> Bool {
        name.hasPrefix(".takeup-") && name.hasSuffix(".partial")
    }
}
