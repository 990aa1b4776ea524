/// How a list is written.
public enum ListFormat: Sendable, CaseIterable {
    /// `[job, …]`, or `{"defaults": {…}, "jobs": [job, …]}`.
    case json
    /// One job a line.
    case jsonLines
    /// Names in the header, one job a record.
    case csv
    /// One path or address a line; empty lines and those that begin with `#` say nothing.
    case paths
    /// Paths with a zero byte behind each, as `find -print0` writes them.
    case nullPaths

    /// Nil for a name that does not tell.
    public init?(name: String) {
        let name = name.lowercased()
        if name.hasSuffix(".json") {
            self = .json
        } else if name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") {
            self = .jsonLines
        } else if name.hasSuffix(".csv") {
            self = .csv
        } else if name.hasSuffix(".txt") {
            self = .paths
        } else {
            return nil
        }
    }

    /// What bytes without a name look like: JSON by how they begin, else paths.
    init(guessing bytes: [UInt8]) {
        let text = bytes.drop { Self.isSpace($0) || [0xEF, 0xBB, 0xBF].contains($0) }
        let second = text.dropFirst().first { !Self.isSpace($0) }
        switch (text.first, second) {
        // A path may begin with a bracket too, but not so.
        case (UInt8(ascii: "["), UInt8(ascii: "{")), (UInt8(ascii: "["), UInt8(ascii: "]")),
            (UInt8(ascii: "["), nil):
            self = .json
        case (UInt8(ascii: "{"), UInt8(ascii: "\"")), (UInt8(ascii: "{"), UInt8(ascii: "}")):
            self = Self.holdsJobs(Array(text)) ? .json : .jsonLines
        default: self = .paths
        }
    }

    /// Whether the first object is a list itself, and no job.
    private static func holdsJobs(_ bytes: [UInt8]) -> Bool {
        var cursor = JSONCursor(bytes)
        var keys: Set<String> = []
        try? cursor.members { (key, cursor) throws(BatchFault) in
            keys.insert(key)
            _ = key == "jobs" ? nil : try cursor.job()
        }
        return !keys.isDisjoint(with: ["jobs", "defaults"])
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
