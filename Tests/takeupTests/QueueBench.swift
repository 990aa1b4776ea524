import TakeupJobs

@testable import takeup

/// A bench whose command lines work on one real queue in the bench's folder.
struct QueueBench {
    let bench: TestBench
    let store: SQLiteJobStore
    let worker = WorkerID(rawValue: "host:1")

    init() throws {
        bench = try TestBench()
        store = try SQLiteJobStore(path: "\(bench.folder)/home/takeup.sqlite")
    }

    /// Its waits end at once, after `onPause`.
    func context(onPause: @escaping @Sendable () -> Void = {}) -> CommandContext {
        var context = bench.context()
        context.pause = { _ in
            onPause()
            await Task.yield()
        }
        return context
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
            output: spec.output ?? "/cache/\(spec.id).mp4", key: "k", bytes: 1_200_000,
            sha256: "ab", duration: 10, frames: 300, seconds: 2,
            warnings: [.init(code: "trackSkipped", message: "audio 2 is left out")])
    }

    static let fault = JobFault(
        code: "sourceTruncated", stage: "demux", message: "a.mov is cut short",
        hint: "copy it anew",
        exitCode: 65)
}
