import Foundation
import TakeupIntake
import TakeupLanes
import TakeupModel

/// The process's standard input, where a command line names it.
enum StandardInput {
    /// Reads it to its end, and no further than one byte more than the longest list.
    static func read() async throws(Failure) -> [UInt8] {
        do {
            return try await Lane("takeup.input").run {
                let most = BatchList.largestFile + 1
                var bytes = Data()
                while bytes.count < most,
                    let more = try FileHandle.standardInput.read(upToCount: most - bytes.count),
                    !more.isEmpty
                {
                    bytes += more
                }
                return [UInt8](bytes)
            }
        } catch {
            throw Failure(
                exitCode: .inputOutput, code: "inputUnreadable", stage: "request",
                message: "cannot read standard input: \(error)",
                hint: "check where it comes from")
        }
    }
}
