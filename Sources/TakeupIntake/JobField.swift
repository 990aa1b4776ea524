/// The fields of a job in a list, by the names that the list uses.
enum JobField: String, CaseIterable {
    case id, source, preset, start, end, duration, output, expires, priority, metadata
    case overwrite, onTruncated, verify, copy, sizeLimit, stripMetadata, retries
    case notBefore, timeout, onReplaced, set, template, music, queue, tags, key

    /// What to write instead of a name that is none.
    static func hint(for name: String) -> String {
        let names = allCases.map(\.rawValue)
        guard let nearest = Spelling.nearest(to: name, among: names) else {
            return "the fields are \(names.joined(separator: ", "))"
        }
        return "did you mean '\(nearest)'?"
    }
}
