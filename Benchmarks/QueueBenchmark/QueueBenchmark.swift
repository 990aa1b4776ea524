import Foundation
import TakeupDigest
import TakeupJobs
import TakeupLanes
import TakeupModel
import TakeupPostgres
import TakeupS3

/// Times the queue with jobs that do nothing and prints one JSON line for each thing that was timed.
@main
struct QueueBenchmark {
    static let result = JobResult(
        output: "/media/out/a.mp4", key: String(repeating: "a", count: 64), bytes: 1_000_000,
        sha256: String(repeating: "b", count: 64), duration: 60, frames: 1800, seconds: 12)

    /// `QueueBenchmark [COUNT]` times everything on SQLite; `submit DATABASE COUNT` only fills a queue, and
    /// `claims DATABASE NAME` only claims in one that is there, a file or a server.
    ///
    /// `pairs ADDRESS COUNT RUNS WORKERS` and `sleepers ADDRESS COUNT` time workers of a server, `pairs` as many of them
    /// as each number of a list, such as `1,4`, says; `upload s3://BUCKET/KEY FILE` hashes and uploads a file, and times
    /// nothing.
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("submit", 3): try fill(arguments[1], count: Int(arguments[2]) ?? 0)
        case ("claims", 3): try timeClaims(arguments[1], named: arguments[2])
        case ("pairs", 5):
            try ServerBenchmark(arguments[1]).timePairs(
                Int(arguments[2]) ?? 0, runs: Int(arguments[3]) ?? 1,
                workers: arguments[4].split(separator: ",").map { Int($0) ?? 1 })
        case ("sleepers", 3):
            try ServerBenchmark(arguments[1]).timeSleepers(Int(arguments[2]) ?? 0)
        case ("upload", 3): try upload(arguments[2], to: arguments[1])
        default: try timeAll(arguments.first.flatMap { Int($0) } ?? 10_000)
        }
    }

    private static func upload(_ file: String, to address: String) throws {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard let object = S3Address(address),
            let sha256 = try SHA256Digest.ofFile(descriptor, isStopped: { false })
        else { throw BenchmarkFailure("nothing to upload, or nowhere to") }
        let client = try S3Environment(ProcessInfo.processInfo.environment).client()
        try S3Upload(
            client, to: object, descriptor: descriptor,
            bytes: Int64(lseek(descriptor, 0, SEEK_END)),
            sha256: sha256
        ).run()
    }

    private static func store(_ database: String) throws -> SQLJobStore {
        try PostgresDatabase(address: database).map { try SQLJobStore($0) }
            ?? SQLJobStore(path: database)
    }

    private static func fill(_ database: String, count: Int) throws {
        let store = try store(database)
        for start in stride(from: 0, to: count, by: 1000) {
            _ = try store.submit(specs(start..<min(start + 1000, count)))
        }
    }

    /// What claims take in a queue that is there; each job is returned to it at once.
    private static func timeClaims(_ database: String, named name: String) throws {
        let store = try store(database)
        let seconds = try (0..<1000).map { _ in
            var lease: Lease?
            let time = try ContinuousClock().measure {
                lease = try store.claim(by: WorkerID(rawValue: "w"), leaseSeconds: 30)?.0
            }
            guard let lease else { throw BenchmarkFailure("nothing to claim") }
            _ = try store.finish(lease, .returned(note: nil, delaySeconds: 0))
            return time / .seconds(1)
        }
        let jobs = try store.counts().values.reduce(0, +)
        report("queue-claim-\(name)", "jobs", jobs, rate: nil, seconds)
    }

    private static func timeAll(_ count: Int) throws {
        try timeSync(count / 10)
        for lanes in [1, 2, 4, 8] { try timePairs(count, lanes: lanes, workers: 1) }
        try timePairs(count, lanes: 1, workers: 4)
        try timeSubmits(count)
        try timeDeepQueue(finished: count * 10, queued: count)
    }

    /// What one sync of this disk takes: a lane alone cannot end jobs faster than that.
    private static func timeSync(_ count: Int) throws {
        let folder = try BenchmarkFolder()
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: try folder.made("sync")))
        let page = Data(repeating: 1, count: 4096)
        let times = try (0..<count).map { _ in
            try ContinuousClock().measure {
                try file.write(contentsOf: page)
                guard fdatasync(file.fileDescriptor) == 0 else {
                    throw BenchmarkFailure("the disk does not sync")
                }
            } / .seconds(1)
        }
        report("disk-sync", "bytes", page.count, rate: Double(count) / times.reduce(0, +), times)
    }

    /// A claim and the end of its job, which is on the disk before it returns.
    ///
    /// Lanes share their worker's connections; workers, as processes would, have their own.
    private static func timePairs(_ count: Int, lanes: Int, workers: Int) throws {
        let folder = try BenchmarkFolder()
        let store = try SQLJobStore(path: folder.database)
        _ = try store.submit(specs(0..<count))
        let stores = try (0..<workers).map { _ in try SQLJobStore(path: folder.database) }
        let timed = try together(workers * lanes, count) { number in
            try work(stores[number / lanes], WorkerID(rawValue: "w\(number / lanes)"))
        }
        report(
            workers == 1 ? "queue-pairs" : "queue-pairs-apart", workers == 1 ? "lanes" : "workers",
            workers * lanes, rate: timed.rate, timed.seconds)
    }

    /// Does so many jobs on so many threads; `body` returns what each job of a thread took, in seconds.
    ///
    /// - Returns: Jobs a second, and what each took.
    /// - Throws: `BenchmarkFailure`.
    static func together(
        _ threads: Int, _ count: Int, _ body: @escaping @Sendable (Int) throws -> [Double]
    ) throws -> (rate: Double, seconds: [Double]) {
        let (seconds, failures) = (Locked<[Double]>([]), Locked<[String]>([]))
        let total = ContinuousClock().measure {
            let group = LaneGroup()
            for number in 0..<threads {
                group.start("lane \(number)") {
                    do {
                        let times = try body(number)
                        seconds.withLock { $0 += times }
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
            }
            group.wait()
        }
        if let failure = failures.withLock({ $0.first }) { throw BenchmarkFailure(failure) }
        let times = seconds.withLock { $0 }
        guard times.count == count else { throw BenchmarkFailure("\(times.count) of \(count)") }
        return (Double(count) / (total / .seconds(1)), times)
    }

    static func work(
        _ store: SQLJobStore, _ worker: WorkerID, sleeping sleepSeconds: Double = 0
    ) throws -> [Double] {
        var seconds: [Double] = []
        while true {
            var isEmpty = false
            let time = try ContinuousClock().measure {
                guard let (lease, _) = try store.claim(by: worker, leaseSeconds: 30) else {
                    isEmpty = true
                    return
                }
                if sleepSeconds > 0 { Thread.sleep(forTimeInterval: sleepSeconds) }
                guard try store.finish(lease, .succeeded(result)) == .succeeded else {
                    throw BenchmarkFailure("\(lease) was lost")
                }
            }
            guard !isEmpty else { return seconds }
            seconds.append(time / .seconds(1))
        }
    }

    private static func timeSubmits(_ count: Int) throws {
        for batch in [1, 1000] {
            let folder = try BenchmarkFolder()
            let store = try SQLJobStore(path: folder.database)
            let batches = batch == 1 ? count / 10 : count / batch
            var seconds: [Double] = []
            for number in 0..<max(1, batches) {
                let part = specs(number * batch..<(number + 1) * batch)
                seconds.append(
                    try ContinuousClock().measure { _ = try store.submit(part) } / .seconds(1))
            }
            let rate = Double(batch * seconds.count) / seconds.reduce(0, +)
            report("queue-submit", "batch", batch, rate: rate, seconds)
        }
    }

    /// What a claim costs among many rows: with something to do, and with nothing that is due.
    private static func timeDeepQueue(finished: Int, queued: Int) throws {
        let folder = try BenchmarkFolder()
        let clock = Locked(1_000_000.0)
        let store = try SQLJobStore(
            path: folder.database, now: { clock.withLock { $0 } })
        for start in stride(from: 0, to: finished, by: 1000) {
            let part = specs(start..<start + 1000)
            _ = try store.submit(part)
            for spec in part { _ = try store.cancel(spec.id) }
        }
        _ = try store.submit(specs(finished..<finished + queued))
        let worker = WorkerID(rawValue: "w")
        var seconds: [Double] = []
        for _ in 0..<1000 {
            seconds.append(
                try ContinuousClock().measure {
                    guard let (lease, _) = try store.claim(by: worker, leaseSeconds: 30) else {
                        throw BenchmarkFailure("nothing to claim")
                    }
                    _ = try store.finish(lease, .returned(note: nil, delaySeconds: 0))
                } / .seconds(1))
        }
        report("queue-deep-pair", "queued", queued, rate: nil, seconds)
        try timeLists(store, finished + queued)
        // All of them wait for their time.
        while let (lease, _) = try store.claim(by: worker, leaseSeconds: 30) {
            _ = try store.finish(lease, .returned(note: nil, delaySeconds: 3600))
        }
        seconds = try (0..<10_000).map { _ in
            try ContinuousClock().measure {
                guard try store.claim(by: worker, leaseSeconds: 30) == nil else {
                    throw BenchmarkFailure("a job started before its time")
                }
            } / .seconds(1)
        }
        report("queue-idle-claim", "queued", queued, rate: nil, seconds)
        clock.withLock { $0 += 3600 }
        seconds = try (0..<min(1000, queued)).map { _ in
            try ContinuousClock().measure {
                guard try store.claim(by: worker, leaseSeconds: 30) != nil else {
                    throw BenchmarkFailure("nothing is due")
                }
            } / .seconds(1)
        }
        report("queue-due-claim", "due", queued, rate: nil, seconds)
    }

    /// What the newest twenty cost among many, and one page of a whole list.
    private static func timeLists(_ store: SQLJobStore, _ count: Int) throws {
        for limit in [20, JobListing.pageSize] {
            let seconds = try (0..<100).map { _ in
                try ContinuousClock().measure {
                    guard try store.list(JobListing(limit: limit)).records.count == limit else {
                        throw BenchmarkFailure("jobs are missing")
                    }
                } / .seconds(1)
            }
            report("queue-list-\(limit)", "jobs", count, rate: nil, seconds)
        }
    }

    private static let preset = {
        var preset = ExportPreset(name: "1080p", description: "", container: .m4a)
        preset.audio = AudioSettings(codec: .aac)
        return preset
    }()

    static func specs(_ numbers: Range<Int>, named name: String = "job") -> [JobSpec] {
        numbers.map { number in
            JobSpec(
                id: JobID(rawValue: "\(name)-\(number)"),
                ExportRequest(
                    Composition(joining: ["/media/in/\(number).mov"]), preset: preset,
                    output: "/media/out/\(number).mp4"))
        }
    }

    /// Prints one JSON line.
    static func report(
        _ name: String, _ dimension: String, _ size: Int, rate: Double?, _ times: [Double]
    ) {
        let seconds = times.sorted()
        func share(_ hundredth: Int) -> Double { seconds[seconds.count * hundredth / 100] }
        let perSecond = rate.map { #""jobs_per_s":\#(Int($0)),"# } ?? ""
        print(
            #"{"benchmark":"\#(name)","\#(dimension)":\#(size),"runs":\#(seconds.count),"#
                + #"\#(perSecond)"median_s":\#(share(50)),"p95_s":\#(share(95)),"#
                + #""p99_s":\#(share(99))}"#)
    }
}
