public import TakeupTimeline

/// What decoding a file whole found.
public struct Verification: Sendable, Equatable {
    public var duration: MediaTime
    /// Frames decoded of the first video track; 0 without one.
    public var frames: Int
    /// What is wrong, a sentence each; empty when nothing is.
    public var problems: [String]

    /// Decodes every track of a file whole.
    public static func decodeWhole(_ path: String) async throws(ExportError) -> Verification {
        throw .inputMissing(path)
    }
}
