import Foundation
import TakeupCache
import TakeupFiles
import TakeupModel
import TakeupService
import TakeupSQL
import Testing

@testable import takeup

@Suite("Cache commands on a real cache")
struct LiveCacheTests {
    /// A result whose content is "abc", with its hash after FIPS 180-4.
    private static let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    private func record(_ alias: String, in bench: TestBench) throws -> String {
        let manifest = try Manifest(path: "\(bench.folder)/home/takeup.sqlite", now: { 1_000_000 })
        let cache = try MediaCache(
            path: "\(bench.folder)/cache", manifest: manifest, limits: CacheLimits())
        let object = try #require(ObjectName(sha256: Self.sha256, fileExtension: .mp4))
        let staged = try cache.objects.stage()
        try staged.write(Array("abc".utf8))
        let file = try cache.place(staged, as: object)
        var entry = ManifestEntry(key: "k1", object: object, bytes: 3, createdAt: 1_000_000)
        (entry.preset, entry.source) = ("medium", "/in/a.mov")
        #expect(try cache.record(entry, file: file, alias: alias, if: { _ in true }) != nil)
        return cache.objects.path(of: object)
    }

    private func run(
        _ line: String, in bench: TestBench, home: String = "home"
    ) async -> ExitCode {
        let words = line.split(separator: " ").map(String.init)
        return await Program.run(
            words + ["--home", home, "--cache", "cache"], in: bench.context())
    }

    private func filled() async throws -> (TestBench, String) {
        let bench = try TestBench()
        #expect(await run("cache list", in: bench) == .success)
        #expect(bench.diagnostics.text.contains("the cache is empty"))
        return (bench, try record("story-42", in: bench))
    }

    @Test("a result is found by its job's id, and its use is counted")
    func get() async throws {
        let (bench, path) = try await filled()
        #expect(await run("cache get story-42", in: bench) == .success)
        #expect(bench.output.text == "\(path)\n")
        #expect(FileManager.default.contents(atPath: path) == Data("abc".utf8))
        #expect(await run("cache get story-43", in: bench) == .inputMissing)
        #expect(await run("cache stats --json", in: bench) == .success)
        #expect(
            bench.output.text.contains(
                #"{"entries":1,"bytes":3,"hits":1,"misses":1,"bytesSaved":3,"evictions":0,"#))
    }

    @Test("a job's id does not name the result of an earlier job of that id, but its key does")
    func newWork() async throws {
        let (bench, path) = try await filled()
        try Data("film".utf8).write(to: URL(fileURLWithPath: "\(bench.folder)/b.mov"))
        let asked = "cache get story-42"
        #expect(
            await run("submit b.mov --id story-42 --preset medium --quiet", in: bench) == .success)
        #expect(await run(asked, in: bench) == .inputMissing)
        #expect(bench.diagnostics.text.contains("story-42"))
        #expect(await run("cache get k1", in: bench) == .success)
        #expect(bench.output.text.hasSuffix("\(path)\n"))
        // The same work again leaves its result as it is.
        #expect(try record("story-42", in: bench) == path)
        #expect(
            await run("submit b.mov --id story-42 --preset medium --quiet", in: bench) == .success)
        #expect(await run(asked, in: bench) == .success)
    }

    @Test("the doctor says that a cache is another database's, or lost its results")
    func doctor() async throws {
        let (bench, path) = try await filled()
        #expect(await run("submit /in/a.mov", in: bench) == .success)
        _ = await run("doctor", in: bench)
        #expect(!bench.output.text.contains("belongs to another database"))
        #expect(await run("submit /in/a.mov", in: bench, home: "other") == .success)
        #expect(await run("cache list", in: bench, home: "other") == .configuration)
        #expect(await run("doctor", in: bench, home: "other") == .configuration)
        #expect(bench.output.text.contains("belongs to another database"))
        let objects = "\(bench.folder)/cache/objects"
        try FileManager.default.moveItem(atPath: objects, toPath: "\(bench.folder)/away")
        #expect(await run("doctor", in: bench) == .configuration)
        #expect(bench.output.text.contains("has lost its results"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("sizes tell what is set aside")
    func orphans() async throws {
        let (bench, _) = try await filled()
        let name = "orphans/\(String(repeating: "0", count: 64)).mp4"
        #expect(
            FileManager.default.createFile(
                atPath: "\(bench.folder)/cache/\(name)", contents: Data("abcde".utf8)))
        #expect(await run("cache stats --json", in: bench) == .success)
        #expect(bench.output.text.contains(#""orphans":1,"orphanBytes":5"#))
    }

    @Test("an entry is shown under every name, and answers under the one that was asked for")
    func names() async throws {
        let (bench, _) = try await filled()
        _ = try record("story-43", in: bench)
        #expect(await run("cache list", in: bench) == .success)
        #expect(bench.output.lines.last?.hasPrefix("story-42, story-43  3 bytes") == true)
        #expect(await run("cache get story-43 --json", in: bench) == .success)
        let line = try #require(bench.output.lines.last)
        #expect(line.hasPrefix(#"{"id":"story-43","path":"#))
        #expect(line.hasSuffix(#""ids":["story-42","story-43"]}"#))
    }

    @Test("what is pinned stays, what is not can be removed with its file")
    func remove() async throws {
        let (bench, path) = try await filled()
        #expect(await run("cache pin story-42", in: bench) == .success)
        #expect(await run("cache remove story-42", in: bench) == .failed)
        #expect(await run("cache clean --cache-unused 1s", in: bench) == .success)
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(await run("cache unpin story-42", in: bench) == .success)
        #expect(await run("cache clean --cache-unused 1s --dry-run", in: bench) == .success)
        #expect(bench.output.lines.contains("1 result would go, 3 bytes"))
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(await run("cache clean --cache-unused 1s", in: bench) == .success)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(await run("cache remove story-42", in: bench) == .inputMissing)
    }

    @Test("a file of other content is found by verify, and is no result any more")
    func verify() async throws {
        let (bench, path) = try await filled()
        #expect(await run("cache verify", in: bench) == .success)
        try Data("abd".utf8).write(to: URL(filePath: path))
        #expect(await run("cache verify", in: bench) == .verificationFailed)
        #expect(bench.output.lines.contains("story-42: the file has other content"))
        #expect(await run("cache get story-42", in: bench) == .inputMissing)
    }

    @Test("another database's cache is refused with 78, a damaged database with 69")
    func refusals() async throws {
        let (bench, _) = try await filled()
        #expect(await run("cache list", in: bench, home: "other") == .configuration)
        #expect(bench.diagnostics.text.contains("belongs to another database"))
        try bench.write(String(repeating: "no database ", count: 1000), to: "bad.sqlite")
        let code = await run("cache list --database sqlite:bad.sqlite", in: bench)
        #expect(code == .unavailable)
        #expect(bench.diagnostics.text.contains("is damaged or no database"))
    }

    @Test(
        "every error of the cache has an exit code and a code of its own",
        arguments: [
            (.foreign(path: "/c", owner: "x"), 78, "cacheForeign"),
            (.locked(path: "/c"), 75, "cacheLocked"),
            (.unsafe(path: "/c", reason: "it is a symbolic link"), 78, "cacheUnsafe"),
            (.notWritable(path: "/c", errno: EROFS), 77, "cacheNotPermitted"),
            (.diskFull(path: "/c"), 74, "diskFull"),
            (.file(operation: "open", path: "/c", errno: EIO), 74, "cacheFailed"),
            (.file(operation: "open", path: "/c", errno: EACCES), 77, "cacheNotPermitted"),
            (.ambiguous(name: "/c"), 64, "ambiguous"),
        ] as [(CacheError, Int32, String)])
    func failures(error: CacheError, exitCode: Int32, code: String) {
        let failure = Failure(error)
        #expect(failure.exitCode.rawValue == exitCode)
        #expect(failure.code == code)
        #expect(failure.message.contains("/c"))
        #expect(failure.hint.count > 1)
    }
}
