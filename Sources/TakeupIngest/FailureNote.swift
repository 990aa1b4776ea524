internal import Foundation
internal import TakeupIntake
internal import TakeupJobs
internal import TakeupModel
package import TakeupWatch
internal import TakeupWorker

/// What is written beside a source that is set aside: why, by which job, and what the media libraries said.
package struct FailureNote: Sendable {
    private static let mostLines = 200

    private let tools: WatchTools
    private let now: @Sendable () -> Double

    package init(_ tools: WatchTools, now: @escaping @Sendable () -> Double) {
        (self.tools, self.now) = (tools, now)
    }

    /// - Throws: `WatchError` while the queue cannot be asked.
    package func bytes(_ action: SourceAction) throws(WatchError) -> [UInt8] {
        let id = JobID(rawValue: action.job)
        let record: JobRecord?
        do throws(Failure) {
            record = try tools.queue.job(id)
        } catch {
            throw .unavailable(path: action.path, reason: error.message)
        }
        let log = WorkerConfiguration.logPath(of: id, stateFolder: tools.home)
        let lines = (try? String(contentsOfFile: log, encoding: .utf8))?.split(separator: "\n")
        let note: JSONValue = [
            "type": "watch.failed", "time": .text(optional: Timestamp.iso(now())),
            "source": .text("\(action.folder)/\(action.path)"),
            "job": record?.detailedJSON ?? .text(action.job),
            "log": .list((lines ?? []).suffix(Self.mostLines).map { .text(String($0)) }),
        ]
        return Array("\(note)\n".utf8)
    }
}
