import Foundation
import TakeupModel
import TestSupport
import Testing

@testable import takeup

@Suite("Access log of commands")
struct AccessLogLineTests {
    private let network = AddressBench.network

    /// The lines that were logged since some were there.
    private func logged(_ bench: AddressBench) throws -> [[String: Any]] {
        try bench.bench.diagnostics.lines.filter { $0.hasPrefix("{") }.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func numbers(_ line: [String: Any], _ names: [String]) -> [Int] {
        names.map { line[$0] as? Int ?? -1 }
    }

    @Test("a fetch is one line with what it cost, the next one with what was saved")
    func fetches() async throws {
        let bench = try AddressBench()
        let bytes = [UInt8](try Clip.base(seconds: 1).bytes())
        let address = bench.serve("/a.mp4", bytes)
        let line = "fetch \(address) \(network) --json --verbose"
        let names = ["origin_bytes", "cache_bytes", "saved_bytes", "completed_bytes"]
        #expect(await bench.run(line) == .success)
        let first = try #require(try logged(bench).first)
        let requests = bench.origin.requestCount("/a.mp4")
        let served = Int(bench.origin.bytesServed("/a.mp4"))
        #expect((bytes.count...served).contains(first["origin_bytes"] as? Int ?? 0))
        #expect(numbers(first, Array(names.dropFirst())) == [0, 0, bytes.count])
        #expect(first["origin_requests"] as? Int == requests)
        #expect(first["result"] as? String == "complete")
        #expect(first["kind"] as? String == "prefetch")
        #expect(first["peer_ip"] as? String == "127.0.0.1")
        #expect(first["ttfb_seconds"] is Double && first["started_at"] is Double)
        #expect(await bench.run(line) == .success)
        let second = try #require(try logged(bench).last)
        #expect(try logged(bench).count == 2)
        let again = Int(bench.origin.bytesServed("/a.mp4")) - served
        #expect(
            numbers(second, names) == [again, bytes.count, bytes.count - again, bytes.count])
        #expect(
            second["origin_requests"] as? Int == bench.origin.requestCount("/a.mp4") - requests)
        #expect(try bench.objects().allSatisfy { $0["type"] as? String != "log" })
        #expect(!bench.bench.diagnostics.text.contains("secret"))
    }

    @Test(
        "commands that read an address log it too, and nothing without --verbose",
        arguments: [
            "probe ADDRESS", "export ADDRESS -o out.mp4 --overwrite replace",
            "export ADDRESS -o o.mp4 --dry-run",
        ])
    func reads(line: String) async throws {
        let bench = try AddressBench()
        let address = bench.serve("/a.mp4", [UInt8](try Clip.base(seconds: 1).bytes()))
        let command = "\(line.replacing("ADDRESS", with: address)) \(network)"
        #expect(await bench.run("\(command) --verbose") == .success)
        let lines = bench.bench.diagnostics.lines.filter { $0.contains("origin_bytes=") }
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("takeup: info: fetched http://127.0.0.1:") == true)
        #expect(lines.first?.contains(" kind=export ") == true)
        #expect(!bench.bench.diagnostics.text.contains("secret"))
        #expect(await bench.run(command) == .success)
        #expect(bench.bench.diagnostics.lines.filter { $0.contains("origin_bytes=") }.count == 1)
    }

    @Test("one that fails is a warning with its result, without its secrets")
    func failures() async throws {
        let bench = try AddressBench()
        let address = bench.serve("/a.mp4", [1]) { $0.faults.answers = [.status(404)] }
        for command in ["fetch", "probe"] {
            #expect(await bench.run("\(command) \(address) \(network) -v") == .inputMissing)
            bench.origin.change("/a.mp4") { $0.faults.answers = [.status(404)] }
        }
        let lines = bench.bench.diagnostics.lines.filter { $0.contains("origin_requests=1") }
        #expect(lines.count == 2)
        #expect(lines.last?.contains("warning") == true)
        #expect(lines.allSatisfy { $0.contains("result=\"status 404\"") })
        #expect(!bench.bench.diagnostics.text.contains("secret"))
    }
}
