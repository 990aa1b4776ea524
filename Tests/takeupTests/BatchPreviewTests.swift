import Foundation
import TakeupCache
import TakeupFiles
import TakeupIntake
import TakeupJobs
import TakeupModel
import TakeupService
import TakeupSQL
import TakeupWorker
import Testing

@testable import takeup

@Suite("Batch preview")
struct BatchPreviewTests {
    private func would(_ line: String, _ queue: QueueBench) async throws -> [String] {
        var context = queue.context()
        context.engine = ScriptedSession(result: nil).engine
        _ = await queue.run("\(line) --dry-run --json", in: context)
        return try queue.values("would")
    }

    @Test("an output that exists is told, unless it may be taken")
    func outputs() async throws {
        let queue = try QueueBench()
        for name in ["a.mov", "a.mp4", "list.csv"] {
            try queue.bench.write("source,output\na.mov,a.mp4\n", to: name)
        }
        #expect(try await would("batch list.csv", queue) == ["fail"])
        #expect(queue.bench.output.text.contains(#""code":"outputExists""#))
        #expect(
            try await would("batch list.csv --overwrite replace", queue) == ["fail", "export"])
    }

    @Test("a folder that takes no files is told, and the name that unique would choose")
    func places() async throws {
        let queue = try QueueBench()
        try queue.bench.write("media", to: "a.mov")
        try queue.bench.write("taken", to: "a.mp4")
        try queue.bench.write("source,output\na.mov,/proc/none/a.mp4\n", to: "list.csv")
        #expect(try await would("batch list.csv", queue) == ["fail"])
        #expect(queue.bench.output.text.contains(#""code":"outputNot"#))
        try queue.bench.write("source,output\na.mov,a.mp4\n", to: "list.csv")
        #expect(
            try await would("batch list.csv --overwrite unique", queue) == ["fail", "export"])
        #expect(queue.bench.output.lines.last?.contains("/a-1.mp4\"") == true)
    }

    @Test("another job of the id is a failure, of the key it is another id")
    func conflicts() async throws {
        let queue = try QueueBench()
        try queue.bench.write("id,source\nx,a.mov\n,b.mov\n", to: "list.csv")
        #expect(await queue.run("submit other.mov --id x") == .success)
        #expect(await queue.run("submit b.mov -o b.mp4") == .success)
        let key = try #require(queue.bench.output.lines.last)
        var context = queue.context()
        context.engine = ScriptedSession(result: nil).engine
        let code = await queue.run("batch list.csv --dry-run --json", in: context)
        #expect(code == .someFailed)
        let forecasts = queue.bench.output.lines.dropFirst(2)
        #expect(forecasts.first?.contains(#""code":"idConflict""#) == true)
        #expect(forecasts.last?.hasPrefix(#"{"type":"forecast","job":"\#(key)-"#) == true)
    }

    @Test("what the cache has of another job's work is told")
    func cached() async throws {
        let queue = try QueueBench()
        let folder = queue.bench.folder
        let source = try queue.bench.write("abc", to: "a.mov")
        // An hour on, so that the source counts as settled.
        let manifest = try queue.places.openManifest { WallClock.now() + 3600 }
        let cache = try MediaCache(
            path: queue.places.cache, manifest: manifest, limits: CacheLimits())
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        let handle = try #require(FileHandle(forReadingAtPath: source))
        let identity = try #require(FileIdentity(descriptor: handle.fileDescriptor))
        try manifest.remember(sha256, of: identity)
        let spec = try SingleJob(sources: [source], folder: folder).spec(BatchOptions())
        let key = try #require(try WorkForecast.knownKey(spec.request, in: manifest))
        let object = try #require(ObjectName(sha256: sha256, fileExtension: .mp4))
        let staged = try cache.objects.stage()
        try staged.write(Array("abc".utf8))
        let entry = ManifestEntry(key: key, object: object, bytes: 3, createdAt: WallClock.now())
        _ = try cache.record(
            entry, file: cache.place(staged, as: object), alias: "other", if: { _ in true })
        try queue.bench.write("source,output\n\(source),b.mp4\n", to: "list.csv")
        #expect(try await would("batch list.csv", queue) == ["cached"])
        try queue.bench.write("abc", to: "b.mp4")
        #expect(try await would("batch list.csv", queue) == ["cached", "cached"])
        try queue.bench.write("taken", to: "b.mp4")
        #expect(try await would("batch list.csv", queue).last == "fail")
        try queue.bench.write("source\n\(source)\n", to: "list.csv")
        #expect(try await would("batch list.csv --metadata title=x", queue).last == "export")
        #expect(try manifest.statistics().hits == 0)
    }

    @Test("a source that cannot be looked at is not one that is missing")
    func untold() throws {
        let queue = try QueueBench()
        let manifest = try queue.places.openManifest()
        let folder = queue.bench.folder
        let known = { (name: String) in
            let spec = try SingleJob(sources: ["\(folder)/\(name)"], folder: folder).spec(
                BatchOptions())
            return try WorkForecast.knownKey(spec.request, in: manifest)
        }
        #expect(try known("none.mov") == nil)
        #expect(throws: CacheError.self) { try known(String(repeating: "x", count: 300)) }
    }
}
