internal import TakeupLanes
public import TakeupTimeline

/// What decoding a file whole found.
public struct Verification: Sendable, Equatable {
    public var duration: MediaTime
    /// Frames decoded of the first video track; 0 without one.
    public var frames: Int
    /// What is wrong, a sentence each; empty when nothing is.
    public var problems: [String]
    /// About how much of the worst track could not be decoded.
    public var lostSeconds = MediaTime.zero
    /// The problems of single tracks, by their place in the file.
    var trackProblems: [Int: String] = [:]

    /// Decodes every track of a file whole.
    ///
    /// - Throws: `ExportError` with `.inputMissing`, `.inputUnreadable`, `.inputNotPermitted`, `.notMedia`,
    ///   `.unsupported` for too many parts or, when the task was cancelled, `.cancelled`.
    public static func decodeWhole(_ path: String) async throws(ExportError) -> Verification {
        let cancellation = Cancellation()
        let lane = Lane("takeup.verify")
        do {
            return try await withTaskCancellationHandler {
                try await lane.run {
                    try WholeDecode(opened: Asset(path: path).open(), cancellation: cancellation)
                        .runParts()
                }
            } onCancel: {
                cancellation.cancel()
            }
        } catch let error as ExportError {
            throw error
        } catch {
            throw .cancelled
        }
    }
}
