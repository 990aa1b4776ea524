import Foundation
import TakeupCache
import TakeupDigest
import TakeupFiles
import TakeupJobs
import TestSupport
import Testing

@testable import TakeupWorker

/// An attempt that was killed between the file of its result and the row.
@Suite("Announced result")
struct AnnouncedResultTests {
    /// One job whose result was made once, is forgotten, and is due again.
    private struct Killed {
        let trial: WorkerTrial
        /// The result with some bytes more, as encoders give other bytes each time.
        let content: Data
        let name: ObjectName
        private let key: String

        init() async throws {
            trial = try WorkerTrial()
            let spec = try trial.spec("a", [try Clip.base(seconds: 1).path])
            _ = try trial.store.submit([spec])
            let first = try #require(try await trial.run(["a"])["a"]?.result)
            content =
                try Data(contentsOf: URL(filePath: first.output)) + [0, 0, 0, 8] + Data("free".utf8)
            key = first.key
            let file = open(try trial.directory.write(content, to: "other.mp4"), O_RDONLY)
            defer { close(file) }
            let digest = try #require(try SHA256Digest.ofFile(file) { false })
            name = try #require(ObjectName(sha256: digest, fileExtension: .mp4))
            _ = try trial.cache.remove("a")
            #expect(try trial.store.submit([spec]) == [.again])
        }

        /// Leaves the job as a worker does that is killed once the file has its name.
        func leave(_ content: Data, facts: Publication.Facts?) throws {
            let (lease, _) = try #require(
                try trial.store.claim(
                    by: WorkerID(rawValue: "gone"), leaseSeconds: 30, in: ClaimScope()))
            #expect(try trial.store.begin(lease, workKey: key) == .admitted)
            #expect(
                try trial.store.announce(
                    lease,
                    Publication(
                        key: key, sha256: name.sha256, bytes: Int64(content.count), facts: facts)))
            let path = trial.cache.objects.path(of: name)
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
            try content.write(to: URL(filePath: path))
            #expect(try trial.store.finish(lease, .returned(note: "", delaySeconds: 0)) == .queued)
        }
    }

    private static let facts = Publication.Facts(
        duration: 1.25, frames: 4242,
        warnings: [JobResult.Warning(code: "shortAudio", message: "said by the first attempt")])

    @Test("is recorded by the next attempt, which makes nothing again")
    func recorded() async throws {
        let killed = try await Killed()
        try killed.leave(killed.content, facts: Self.facts)
        let job = try #require(try await killed.trial.run(["a"])["a"])
        #expect(job.state == .succeeded)
        #expect(job.result?.sha256 == killed.name.sha256 && job.result?.frames == 4242)
        #expect(job.result?.duration == 1.25 && job.result?.warnings == Self.facts.warnings)
        #expect(try killed.trial.objects() == ["\(killed.name.shard)/\(killed.name.fileName)"])
        #expect(try killed.trial.cache.lookup("a")?.entry.sha256 == killed.name.sha256)
    }

    @Test("is made again where its bytes are others than those announced")
    func damaged() async throws {
        let killed = try await Killed()
        var content = killed.content
        content[content.count / 2] ^= 1
        try killed.leave(content, facts: Self.facts)
        let job = try #require(try await killed.trial.run(["a"])["a"])
        #expect(job.state == .succeeded && job.result?.frames != 4242)
        #expect(job.result?.sha256 != killed.name.sha256)
        #expect(try MediaTools.decodeErrors(try #require(job.result?.output)) == [])
    }

    @Test("is made again where an older version announced it, or where it is missing")
    func unknown() async throws {
        let killed = try await Killed()
        try killed.leave(killed.content, facts: nil)
        let job = try #require(try await killed.trial.run(["a"])["a"])
        #expect(job.state == .succeeded && job.result?.sha256 != killed.name.sha256)

        let missing = try await Killed()
        try missing.leave(missing.content, facts: Self.facts)
        try FileManager.default.removeItem(
            atPath: missing.trial.cache.objects.path(of: missing.name))
        let again = try #require(try await missing.trial.run(["a"])["a"])
        #expect(again.state == .succeeded && again.result?.frames != 4242)
    }
}
