import TakeupProcess

/// What can be asked of the machine; tests answer for it.
protocol SystemFacts: Sendable {
    /// Bytes that a user may still write below a folder; nil when it cannot be told.
    func freeBytes(_ folder: String) -> Int64?
    func isThere(_ path: String) -> Bool
    /// Whether it is a folder in which this user may make files.
    func isWritable(_ folder: String) -> Bool
    /// Whether a file can be made without a name, and be given one when it is complete.
    func supportsNamelessFiles(_ folder: String) -> Bool
    func isProcMounted() -> Bool
    /// What of the processes that decode foreign bytes could be sealed.
    func sandbox() -> Sandbox
    /// Processors that this process may use.
    func cores() -> Int
    /// Bytes of memory that can be had now; nil when it cannot be told.
    func availableMemory() -> Int64?
    /// Whether the library that fetches addresses is installed.
    func canFetch() -> Bool
    /// How many folders may be watched; nil when it cannot be told.
    func inotifyLimits() -> InotifyLimits?
}
