import Foundation
import TakeupModel
import TestSupport
import Testing

@testable import takeup

@Suite("Fetch command")
struct FetchCommandTests {
    private let network = AddressBench.network

    @Test("brings an address into the cache once")
    func once() async throws {
        let bench = try AddressBench()
        let bytes = [UInt8](try Clip.base(seconds: 1).bytes())
        let address = bench.serve("/a.mp4", bytes)
        #expect(await bench.run("fetch \(address) \(network) --json") == .success)
        let served = bench.origin.bytesServed("/a.mp4")
        #expect(served >= Int64(bytes.count) && served <= Int64(bytes.count) + 1)
        let objects = try bench.objects()
        #expect(objects.first?["type"] as? String == "started")
        #expect(objects.last?["status"] as? String == "succeeded")
        #expect(objects.last?["bytes"] as? Int == bytes.count)
        #expect(objects.contains { $0["phase"] as? String == "fetch" })
        #expect(await bench.run("fetch \(address) \(network)") == .success)
        #expect(bench.bench.output.text.contains("was here already"))
        #expect(bench.origin.bytesServed("/a.mp4") == served)
        #expect(!bench.bench.output.text.contains("secret"))
    }

    @Test("compares a checksum, and keeps nothing that has another one")
    func checksum() async throws {
        let bench = try AddressBench()
        let clip = try Clip.base(seconds: 1)
        let bytes = [UInt8](try clip.bytes())
        let address = bench.serve("/a.mp4", bytes)
        let wrong = String(repeating: "0", count: 64)
        let line = "fetch \(address) \(network) --checksum sha256:"
        let code = await bench.run(line + wrong)
        #expect(code == .verificationFailed, "\(bench.bench.diagnostics.text)")
        let sum = try Subprocess.run("sha256sum", [clip.path]).outputText.prefix(64)
        #expect(await bench.run(line + sum.uppercased()) == .success)
        #expect(bench.origin.bytesServed("/a.mp4") >= 2 * Int64(bytes.count))
        #expect(await bench.run(line + "abc") == .usage)
    }

    @Test("warns of a source whose end nothing but a closed connection tells, each time")
    func openEnded() async throws {
        let bench = try AddressBench()
        let clip = try Clip.base(seconds: 1)
        let address = bench.serve("/a.mp4", [UInt8](try clip.bytes())) {
            ($0.faults.ranges, $0.faults.framing) = (.ignored, .untilClose)
        }
        for line in ["fetch \(address)", "export \(address) -o o.mp4 --overwrite replace"] {
            for _ in 1...2 {
                #expect(await bench.run("\(line) \(network) --json") == .success)
                let warnings = try bench.objects().last?["warnings"] as? [[String: Any]]
                #expect(warnings?.map { $0["code"] as? String } == ["lengthNotStated"], "\(line)")
            }
        }
        let sum = try Subprocess.run("sha256sum", [clip.path]).outputText.prefix(64)
        let line = "fetch \(address) \(network) --json --checksum sha256:\(sum)"
        #expect(await bench.run(line) == .success)
        #expect((try bench.objects().last?["warnings"] as? [Any])?.isEmpty == true)
    }

    @Test("bytes without validators that were no media are fetched again by the next command")
    func distrusted() async throws {
        let bench = try AddressBench()
        let bytes = [UInt8](try Clip.base(seconds: 1).bytes())
        let bare: (inout OriginObject) -> Void = { ($0.tag, $0.lastModified) = (.absent, nil) }
        let broken = [UInt8](bytes[..<1000]) + [UInt8](repeating: 0, count: bytes.count - 1000)
        let address = bench.serve("/a.mp4", broken, bare)
        for command in ["probe", "export -o o.mp4"] {
            #expect(await bench.run("\(command) \(address) \(network)") == .notMedia)
        }
        _ = bench.serve("/a.mp4", bytes, bare)
        #expect(await bench.run("probe \(address) \(network)") == .success)
    }

    @Test("an origin that gives every answer another tag is exported; no fraction falls")
    func tagOfEachAnswer() async throws {
        let bench = try AddressBench()
        let bytes = try Clip.base(seconds: 1).padded(by: 3_000_000)
        let address = bench.serve("/a.mp4", bytes) {
            ($0.lastModified, $0.tag) = (nil, .perRequest)
        }
        let line = "export \(address) -o o.mp4 --json"
        #expect(await bench.run("\(line) \(network)") == .success)
        let objects = try bench.objects()
        #expect(objects.last?["status"] as? String == "succeeded")
        #expect(objects.count { $0["type"] as? String == "started" } == 1)
        let fractions = objects.compactMap { $0["fraction"] as? Double }
        #expect(fractions == fractions.sorted())
    }

    @Test("goes on after an address that fails, and ends with its code")
    func several() async throws {
        let bench = try AddressBench()
        let good = bench.serve("/a.mp4", [UInt8](try Clip.base(seconds: 1).bytes()))
        let missing = bench.origin.url("/none.mp4?key=secret")
        #expect(await bench.run("fetch \(missing) \(good) \(network)") == .inputMissing)
        #expect(bench.bench.output.lines.count == 1)
        #expect(!bench.bench.diagnostics.text.contains("secret"))
    }

    @Test("refuses what is no address", arguments: ["fetch", "fetch a.mov", "fetch ftp://x/a"])
    func refusals(line: String) async throws {
        let bench = try AddressBench()
        #expect(await bench.run(line) == .usage)
    }
}
