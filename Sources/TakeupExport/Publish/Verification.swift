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
    /// Those of no single track.
    var generalProblems: [String] = []

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

extension Verification {
    /// Joins what was found in parts one after another; a problem tells of which it is where there are several.
    init(parts: [Verification], mostProblems: Int) {
        let problems = parts.enumerated().flatMap { place, part in
            part.problems.map {
                parts.count > 1 ? "part \(place + 1) of \(parts.count): \($0)" : $0
            }
        }
        self.init(
            duration: parts.map(\.duration).reduce(.zero, +),
            frames: parts.map(\.frames).reduce(0, +),
            problems: Array(problems.prefix(mostProblems)),
            lostSeconds: parts.map(\.lostSeconds).reduce(.zero, +),
            trackProblems: parts.count == 1 ? parts[0].trackProblems : [:],
            generalProblems: parts.count == 1 ? parts[0].generalProblems : [])
    }
}
