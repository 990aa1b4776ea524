import TakeupKit
import TakeupModel
import TakeupService
import TestSupport
import Testing

@Suite("Queue for programs")
struct ExportQueueTests {
    @Test("accepts, tells progress, answers, and is done with the same work at once")
    func example() async throws {
        let directory = try TemporaryDirectory()
        let source = try Clip.base(seconds: 1).path

        // The README's lines, with this clip and these folders.
        var configuration = WorkerConfiguration(stateFolder: directory.file("state"))
        configuration.helper.executable = try BuiltProduct.path(of: "takeup-media")
        let queue = try await ExportQueue(
            cacheFolder: directory.file("cache"), configuration: configuration,
            limits: CacheLimits(minFreeBytes: 0))
        let job = JobID(rawValue: "story-42")
        let fractions = queue.progress(of: job)
        #expect(try await queue.enqueue(source, preset: "640x480", id: "story-42") == job)
        var last = 0.0
        for await progress in fractions {
            #expect(progress.fraction >= last && progress.fraction <= 1)
            last = progress.fraction
        }
        let result = try await queue.result(of: job)

        #expect(last == 1)
        #expect(try MediaTools.decodeErrors(result.output) == [])
        let again = try await queue.enqueue(source, preset: "640x480", id: "other")
        #expect(try await queue.result(of: again).sha256 == result.sha256)
        #expect(try await queue.job(again)?.state == .cached)
        await #expect(throws: Failure.self) {
            try await queue.result(of: JobID(rawValue: "unknown"))
        }
        await queue.shutDown()
    }

    @Test("two outputs of one source are two jobs, and what no queue takes is thrown")
    func admission() async throws {
        let directory = try TemporaryDirectory()
        let queue = try await ExportQueue(
            cacheFolder: directory.file("cache"),
            configuration: WorkerConfiguration(stateFolder: directory.file("state"), lanes: 1),
            limits: CacheLimits(minFreeBytes: 0))
        var ids: Set<JobID> = []
        for output in ["/x/a.mp4", "/x/b.mp4", "/x//./b.mp4"] {
            ids.insert(try await queue.enqueue("/none.mov", preset: "640x480", output: output))
        }
        #expect(ids.count == 2)
        let page = try await queue.jobs(JobListing(limit: 1))
        #expect(page.records.count == 1)
        let rest = try await queue.jobs(JobListing(after: page.next))
        #expect(Set(page.records.map(\.id)).union(rest.records.map(\.id)) == ids)
        await #expect(throws: Failure.self) { try await queue.retry(JobID(rawValue: "none")) }
        for id in ["", "a/b", "a\n"] {
            await #expect(throws: Failure.self) {
                try await queue.enqueue("/none.mov", preset: "640x480", id: id)
            }
        }
        for source in ["", "https://user:secret@example.com/a", "http://"] {
            await #expect(throws: Failure.self) {
                try await queue.enqueue(source, preset: "640x480")
            }
        }
        await #expect(throws: Failure.self) {
            try await queue.enqueue("/none.mov", preset: "640x480", output: "/x/")
        }
        var later = JobSpec(
            id: JobID(rawValue: "later"),
            ExportRequest(
                Composition(joining: ["/none.mov"]),
                preset: ExportPreset.sound(named: "p")))
        later.notBefore = 4_000_000_000
        #expect(try await queue.enqueue(later).answer == .accepted)
        await #expect(throws: Failure.conflict(later.id)) {
            try await queue.enqueue("/other.mov", preset: "640x480", id: "later")
        }
        await #expect(throws: Failure.self) { try await queue.cancel(JobID(rawValue: "none")) }
        await queue.shutDown()
        await #expect(throws: Failure.self) {
            try await queue.enqueue("/none.mov", preset: "640x480", id: "late")
        }
        #expect(try await queue.job(JobID(rawValue: "late")) == nil)
    }
}
