/// Why no jobs came of a list or a folder; none of them was started.
public enum BatchListError: Error, Equatable, Sendable {
    case missing(String)
    case notPermitted(String)
    case unreadable(String, reason: String)
    /// A pattern without a match, but for what could not be looked at or used.
    case nothingMatches(String, skipped: [BatchList.Skipped])
    /// What was named is there, but cannot be taken so.
    case unfit(String, reason: String, hint: String)
    /// The list says what it cannot: the first faults in the order of lines, and how many more there are.
    case invalid(String, faults: [BatchFault], more: Int)
}
