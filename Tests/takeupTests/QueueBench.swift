import Foundation
import TakeupJobs
import TakeupModel
import TakeupService

@testable import takeup

/// A bench whose command lines work on one real queue in the bench's folder.
struct QueueBench {
    let bench: TestBench
    let store: SQLJobStore
    let places: StatePlaces
    let worker = WorkerID(rawValue: "host:1")

    init() throws {
        bench = try TestBench()
        let folder = bench.folder
        places = try StatePlaces(
            StatePlaces.Request(home: "home", cache: "cache"), environment: [:],
            absolute: { "\(folder)/\($0)" })
        store = try SQLJobStore(path: "\(bench.folder)/home/takeup.sqlite")
    }

    var access: QueueAccess { QueueAccess(store) { Failure($0) } }

    /// Its waits end at once, after `onPause`, and move its clock.
    func context(
        worker: ScriptedWorker? = nil, onPause: @escaping @Sendable () -> Void = {}
    ) -> CommandContext {
        var context = bench.context()
        let clock = Clock()
        context.now = { clock.now() }
        context.pause = { seconds in
            clock.advance(seconds)
            onPause()
            await Task.yield()
        }
        if let worker { context.openWorker = { _, _, _ in worker.access } }
        return context
    }

    /// The values of one key of the JSON lines on standard output, of those that have it.
    func values(_ key: String) throws -> [String] {
        try bench.output.lines.compactMap { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return (object as? [String: Any])?[key] as? String
        }
    }

    func run(_ line: String, in context: CommandContext? = nil) async -> ExitCode {
        let words = line.split(separator: " ").map(String.init)
        return await Program.run(
            words + ["--home", "home", "--cache", "cache"], in: context ?? self.context())
    }

    /// Claims the next job and ends it, as a worker elsewhere would.
    @discardableResult
    func work(_ outcome: (JobSpec) -> JobOutcome = { .succeeded(Self.result($0)) }) throws -> JobID?
    {
        guard let (lease, record) = try store.claim(by: worker, leaseSeconds: 30) else {
            return nil
        }
        _ = try store.finish(lease, outcome(record.spec))
        return record.id
    }

    static func result(_ spec: JobSpec) -> JobResult {
        JobResult(
            output: spec.request.output ?? "/cache/\(spec.id).mp4", key: "k", bytes: 1_200_000,
            sha256: "ab", duration: 10, frames: 300, seconds: 2,
            warnings: [.init(code: "trackSkipped", message: "audio 2 is left out")])
    }

    static let fault = Failure(
        exitCode: .notMedia, code: "sourceTruncated", stage: "demux", message: "a.mov is cut short",
        hint: "copy it again")
}
