/// How a list is written.
public enum ListFormat: Sendable, CaseIterable {
    /// `[job, …]`, or `{"defaults": {…}, "jobs": [job, …]}`.
    case json
    /// One job a line.
    case jsonLines
    /// Names in the header, one job a record.
    case csv

    /// Nil for a name that does not tell.
    public init?(name: String) {
        let name = name.lowercased()
        if name.hasSuffix(".json") {
            self = .json
        } else if name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") {
            self = .jsonLines
        } else if name.hasSuffix(".csv") {
            self = .csv
        } else {
            return nil
        }
    }
}
