import Foundation
import TakeupModel
import TestSupport
import Testing

@testable import takeup

@Suite("Sources in the cache")
struct SourceCacheTests {
    private let state = "--home home"

    /// A bench whose cache holds one source and no result.
    private func filled() async throws -> (AddressBench, address: String) {
        let bench = try AddressBench()
        let address = bench.serve("/a.mp4", [UInt8](try Clip.base(seconds: 1).bytes()))
        #expect(await bench.run("fetch \(address) \(AddressBench.network)") == .success)
        return (bench, address)
    }

    private func data(in bench: AddressBench) throws -> String? {
        let folder = bench.file("cache/sources")
        return try FileManager.default.subpathsOfDirectory(atPath: folder)
            .first { $0.contains("/data-") }.map { "\(folder)/\($0)" }
    }

    @Test("they are listed and counted without secrets")
    func list() async throws {
        let (bench, _) = try await filled()
        #expect(await bench.run("cache list \(state)") == .success)
        let line = try #require(bench.bench.output.lines.last)
        #expect(line.contains("(source)") && line.contains("/a.mp4?…"))
        #expect(await bench.run("cache list --json \(state)") == .success)
        #expect(bench.bench.output.text.contains(#""kind":"source""#))
        #expect(await bench.run("cache stats --json \(state)") == .success)
        #expect(bench.bench.output.text.contains(#""sources":1,"sourceBytes":"#))
        #expect(!bench.bench.output.text.contains("secret"))
    }

    @Test("one is pinned, kept, unpinned and removed by its address")
    func removal() async throws {
        let (bench, address) = try await filled()
        #expect(await bench.run("cache pin \(address) \(state)") == .success)
        #expect(await bench.run("cache remove \(address) \(state)") == .failed)
        #expect(await bench.run("cache clean --cache-max-bytes 1 \(state)") == .success)
        #expect(try data(in: bench) != nil)
        #expect(await bench.run("cache unpin \(address) \(state)") == .success)
        let clean = "cache clean --cache-max-bytes 1 \(state)"
        #expect(await bench.run("\(clean) --dry-run") == .success)
        #expect(try data(in: bench) != nil)
        #expect(await bench.run(clean) == .success)
        #expect(try data(in: bench) == nil)
        #expect(await bench.run("cache remove \(address) \(state)") == .inputMissing)
    }

    @Test("a block that was changed on the disk is found, dropped and fetched again")
    func verify() async throws {
        let (bench, address) = try await filled()
        #expect(await bench.run("cache verify \(state)") == .success)
        let path = try #require(try data(in: bench))
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: 1000)
        try file.write(contentsOf: Data("damage".utf8))
        try file.close()
        #expect(await bench.run("cache verify \(state)") == .verificationFailed)
        #expect(await bench.run("cache verify \(state)") == .success)
        #expect(await bench.run("fetch \(address) \(AddressBench.network) --json") == .success)
        let last = try #require(bench.bench.output.lines.last)
        let sum = try Subprocess.run("sha256sum", [Clip.base(seconds: 1).path]).outputText
        #expect(last.contains(String(sum.prefix(64))))
    }
}
