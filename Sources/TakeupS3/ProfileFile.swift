/// The sections of `~/.aws/credentials` or `~/.aws/config`.
struct ProfileFile {
    /// Settings by section and name; a nested one is `s3.addressing_style`.
    private(set) var sections: [String: [String: String]] = [:]

    /// Parses a file; lines that say nothing are left out.
    init(_ text: String) {
        var (section, parent): (String?, String?) = (nil, nil)
        for line in text.split(whereSeparator: \.isNewline) {
            let words = Self.trimmed(line)
            if words.isEmpty || words.hasPrefix("#") || words.hasPrefix(";") { continue }
            if words.hasPrefix("["), let end = words.lastIndex(of: "]") {
                let name = words[words.index(after: words.startIndex)..<end]
                section = name.split(separator: " ").joined(separator: " ")
                parent = nil
                continue
            }
            guard let section, let mark = words.firstIndex(of: "=") else { continue }
            let name = Self.trimmed(words[..<mark])
            let value = String(Self.trimmed(words[words.index(after: mark)...]))
            let isNested = line.first == " " || line.first == "\t"
            if isNested, let parent {
                sections[section, default: [:]]["\(parent).\(name)"] = value
            } else {
                sections[section, default: [:]][String(name)] = value
                parent = value.isEmpty ? String(name) : nil
            }
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let tail = text.drop { $0 == " " || $0 == "\t" }
        guard let last = tail.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return tail[...last]
    }
}
