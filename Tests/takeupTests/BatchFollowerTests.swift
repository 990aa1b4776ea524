import TakeupJobs
import TakeupModel
import TakeupService
import Testing

@testable import takeup

@Suite("Batch follower")
struct BatchFollowerTests {
    @Test("a batch beyond one look is followed to the last, in few statements")
    func many() throws {
        let queue = try QueueBench()
        let preset = ExportPreset.sound(named: "medium")
        let specs = (0..<1200).map {
            JobSpec(
                id: JobID(rawValue: "job-\($0)"),
                ExportRequest(Composition(joining: ["/in/\($0).mov"]), preset: preset))
        }
        _ = try queue.store.submit(specs)
        var follower = BatchFollower(specs, now: WallClock.now())
        #expect(try follower.look(at: queue.access).isEmpty)
        for _ in 0..<700 { try queue.work() }
        let ended = try follower.look(at: queue.access)
        #expect(ended.count == 700)
        #expect(ended.map(\.spec.id.rawValue).sorted() == (0..<700).map { "job-\($0)" }.sorted())
        #expect(follower.remaining.count == 500)
        #expect(try follower.look(at: queue.access).isEmpty)
    }

    @Test("a job that was pruned before its end was seen is told as forgotten, once")
    func forgotten() throws {
        let queue = try QueueBench()
        let preset = ExportPreset.sound(named: "medium")
        let spec = JobSpec(
            id: JobID(rawValue: "a"),
            ExportRequest(Composition(joining: ["/a"]), preset: preset))
        _ = try queue.store.submit([spec])
        var follower = BatchFollower([spec], now: 0)
        try queue.work()
        #expect(try queue.store.prune(olderThanSeconds: 0) == 1)
        #expect(try follower.look(at: queue.access).map { $0.fault?.code } == ["jobForgotten"])
        #expect(try follower.look(at: queue.access).isEmpty)
    }
}
