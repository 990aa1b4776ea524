/// What is known of a helper that ended on its own.
public struct HelperCrash: Sendable, Equatable, Codable {
    /// The signal that ended it; nil when it exited.
    public var signal: Int32?
    /// What it exited with; nil when a signal ended it.
    public var status: Int32?
    /// The limit that ended it: `processorTime` or `fileSize`; nil when it was none.
    public var limit: String?
    /// The last that it wrote to standard error, up to 16 KiB.
    public var lastLines = ""

    /// The end of a sentence that begins with the process.
    public var cause: String {
        if let limit { return "went beyond its limit (\(limit))" }
        if let signal { return "was ended by signal \(signal)" }
        return "ended with status \(status ?? -1)"
    }
}
