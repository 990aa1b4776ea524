import Foundation
import TakeupCache
import TakeupFiles
import TakeupJobs
import TakeupModel
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

@Suite("Places that outputs cannot be written to")
struct ClosedPlaceTests {
    @Test("a closed folder holds its own jobs alone, longer the more there are, and opens by a try")
    func places() throws {
        let places = ClosedPlaces()
        #expect(places.look(at: "/a", delaySeconds: 1) == .open)
        #expect(places.close("/a", because: "read-only"))
        #expect(!places.close("/a", because: "read-only"))
        #expect(places.close("/a", because: "full"))
        let first = places.look(at: "/a", delaySeconds: 1) { _ in Issue.record("too early") }
        #expect(first == .closed(reason: "full", delaySeconds: 1))
        #expect(places.look(at: "/b", delaySeconds: 1) == .open)
        #expect(!places.settle("/a"))
        var last = ClosedPlaces.Verdict.open
        for _ in 0..<1200 { last = places.look(at: "/a", delaySeconds: 1) }
        #expect(last == .closed(reason: "full", delaySeconds: 60))
    }

    @Test("a job for a folder where nothing can be made waits, with no attempt used up")
    func waits() async throws {
        let trial = try WorkerTrial()
        let source = try Clip.base(seconds: 1).path
        var closed = try trial.spec("closed", [source])
        // Nobody makes a file there, root neither.
        closed.request.output = "/proc/takeup/closed.mp4"
        closed.retries = 0
        _ = try trial.store.submit([closed, try trial.spec("open", [source], output: "open.mp4")])
        let worker = try trial.worker()
        let told = worker.events()
        let jobs = try await trial.run(["open"], on: worker)
        #expect(jobs["open"]?.state == .succeeded)
        var words: [String] = []
        for await case .noticed(let text) in told { words.append(text) }
        #expect(words.count == 1 && words.first?.contains("/proc/takeup cannot be") == true)
        let job = try #require(try trial.store.job(closed.id))
        #expect(job.state == .scheduled && job.waitsForPlace && job.machine.failures == 0)
    }

    @Test("a name that cannot be looked at is not taken for free", arguments: [true, false])
    func untold(followsLinks: Bool) throws {
        let directory = try TemporaryDirectory()
        let top = try #require(realpath(directory.path, nil))
        defer { free(top) }
        let manifest = try Manifest(path: directory.file("jobs.sqlite3")) { 0 }
        func output(_ name: String) -> NamedOutput {
            NamedOutput(
                path: "\(String(cString: top))/\(name)", overwrite: .fail,
                followsLinks: followsLinks, usesHardLinks: false, manifest: manifest, traits: nil)
        }
        let long = output(String(repeating: "x", count: 300))
        #expect(throws: AttemptEnd.self) { try long.isTaken() }
        #expect(throws: CacheError.file(operation: "open", path: long.path, errno: ENAMETOOLONG)) {
            try long.isPresent(long.path, bytes: 1, sha256: "ab") { false }
        }
        #expect(symlink("nowhere", directory.file("link")) == 0)
        #expect(try output("link").isTaken() && !output("none").isTaken())
        let none = output("none")
        #expect(try !none.isPresent(none.path, bytes: 1, sha256: "ab") { false })
    }

    @Test("what is the job's own fault is no condition of the place")
    func conditions() {
        for code in [ENOTDIR, ENAMETOOLONG, EINVAL, ELOOP, EISDIR, EFBIG] {
            #expect(!FileError.creating("a", code).isOfPlace)
        }
        for code in [EACCES, EPERM, EROFS, ENOSPC, EDQUOT, EIO, ESTALE, ENOENT] {
            #expect(FileError.creating("a", code).isOfPlace)
        }
        #expect(!FileError.exists("a").isOfPlace)
    }

    @Test("a large file that is no media is refused before it is read as a whole")
    func sparse() async throws {
        let trial = try WorkerTrial()
        let path = trial.directory.file("sparse.mp4")
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0 && ftruncate(file, 40 << 30) == 0)
        let identity = try #require(FileIdentity(descriptor: file))
        close(file)
        _ = try trial.store.submit([try trial.spec("sparse", [path])])
        let job = try #require(try await trial.run(["sparse"])["sparse"])
        #expect(
            job.state == .failed && job.fault?.code == "notMedia",
            "\(String(describing: job.fault))")
        #expect(try trial.cache.manifest.digest(of: identity) == nil)
    }

    @Test("a worker whose cache is the database's no more ends, and its job waits for another")
    func disowned() async throws {
        let trial = try WorkerTrial()
        let worker = try trial.worker()
        _ = try MediaCache(
            path: trial.directory.file("other"),
            manifest: try Manifest(
                path: trial.directory.file("state/takeup.sqlite"), now: WallClock.now),
            limits: CacheLimits(minFreeBytes: 0), adopting: true)
        let spec = try trial.spec("a", [try Clip.base(seconds: 1).path])
        _ = try trial.store.submit([spec])
        worker.start()
        await worker.finished()
        #expect(worker.failure?.code == "cacheNotKnown")
        let job = try #require(try trial.store.job(spec.id))
        #expect(job.state == .queued && job.machine.failures == 0 && job.fault == nil)
    }
}
