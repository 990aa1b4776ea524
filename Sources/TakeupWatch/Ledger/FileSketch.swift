internal import TakeupFiles

/// What is kept in memory of a file that is known.
struct FileSketch: Sendable {
    let path: String
    let identity: FileIdentity
    /// Describes what Takeup made from the file.
    let work: String
    /// Whether it was looked into.
    let hasFacts: Bool
}
