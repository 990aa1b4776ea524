import TakeupJobs
import TakeupLanes
import TakeupModel
import TestSupport
import Testing

/// An empty store with a clock that stands still and the same jitter every time.
struct StoreTrial: ~Copyable {
    static let result = JobResult(output: "/out/a.mp4", key: "k", bytes: 7, sha256: "ab")
    static let fault = Failure(
        exitCode: .notMedia, code: "decode", stage: "encode", message: "no frame",
        hint: "look at it")
    static let publication = Publication(key: "k", sha256: "ab", bytes: 7, output: "/out/a.mp4")
    static let lease = 30.0

    let kind: StoreKind
    let folder: TemporaryDirectory
    let clock: VirtualClock
    let random: Locked<SeededRandom>
    let store: any JobStore

    init(_ kind: StoreKind, seed: UInt64 = 1) throws {
        let folder = try TemporaryDirectory()
        let (clock, random) = (VirtualClock(), Locked(SeededRandom(state: seed)))
        store = try kind.open(
            in: folder.path, now: { clock.now }, random: { random.withLock { $0.share() } })
        (self.kind, self.clock, self.random) = (kind, clock, random)
        self.folder = folder
    }

    /// A second opening of the same store.
    func again() throws -> any JobStore {
        let (clock, random) = (clock, random)
        return try kind.open(
            in: folder.path, now: { clock.now }, random: { random.withLock { $0.share() } })
    }

    static func spec(
        _ id: String, priority: Int = 0, retries: Int = 3, source: String = "/in/a.mov"
    ) -> JobSpec {
        var spec = JobSpec(
            id: JobID(rawValue: id),
            ExportRequest(
                Composition(joining: [source]),
                preset: ExportPreset.sound(named: "p")))
        (spec.priority, spec.retries) = (priority, retries)
        return spec
    }

    /// Accepts one job.
    func add(_ id: String, priority: Int = 0, retries: Int = 3) throws {
        let answers = try store.submit([Self.spec(id, priority: priority, retries: retries)])
        #expect(answers == [.accepted])
    }

    func claim(_ worker: String = "w1") throws -> Lease? {
        try store.claim(by: WorkerID(rawValue: worker), leaseSeconds: Self.lease)?.0
    }

    /// Accepts one job and claims it.
    func running(_ id: String, retries: Int = 3, worker: String = "w1") throws -> Lease {
        try add(id, retries: retries)
        return try #require(try claim(worker))
    }

    func record(_ id: String) throws -> JobRecord {
        try #require(try store.job(JobID(rawValue: id)))
    }

    func state(_ id: String) throws -> JobState { try record(id).state }

    /// Claims and ends jobs until nothing may start.
    func drain() throws -> [String] {
        var order: [String] = []
        while let lease = try claim() {
            order.append(lease.job.rawValue)
            #expect(try store.finish(lease, .succeeded(Self.result)) == .succeeded)
        }
        return order
    }
}
