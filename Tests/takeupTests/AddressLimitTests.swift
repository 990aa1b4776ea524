import Foundation
import TakeupModel
import TestSupport
import Testing

@testable import takeup

@Suite("Commands on addresses and the cache's limits")
struct AddressLimitTests {
    /// Where a limit is said.
    enum Place: CaseIterable {
        case flag, environment, configuration
    }

    /// An origin with two sources, each of which has to be read nearly as a whole.
    private static func bench() throws -> (AddressBench, address: String, other: String) {
        let bench = try AddressBench()
        let bytes = try Clip.base(seconds: 1).padded(by: 8_000_000)
        return (bench, bench.serve("/a.mp4", bytes), bench.serve("/b.mp4", bytes))
    }

    /// Runs a command with one limit.
    private func run(
        _ line: String, _ name: String, _ value: String, by place: Place, on bench: AddressBench
    ) async throws -> ExitCode {
        var words = "\(line) \(AddressBench.network) --cache cache".split(separator: " ")
            .map(String.init)
        var environment: [String: String] = [:]
        switch place {
        case .flag: words += ["--\(name)", value]
        case .environment:
            let variable = name.uppercased().replacingOccurrences(of: "-", with: "_")
            environment["TAKEUP_\(variable)"] = value
        case .configuration:
            words += [
                "--config", try bench.bench.write(#"{"\#(name)": "\#(value)"}"#, to: "c.json"),
            ]
        }
        return await Program.run(words, in: bench.bench.context(environment: environment))
    }

    /// The files of sources that have bytes.
    private func kept(_ bench: AddressBench) throws -> [String] {
        let folder = bench.file("cache/sources")
        return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
            guard name.contains("/data-") else { return false }
            let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            return (facts[.size] as? Int ?? 0) > 0
        }
    }

    @Test(
        "where more has to stay free than there is, nothing is kept",
        arguments: Place.allCases)
    func minFree(place: Place) async throws {
        for command in ["export", "probe", "presets for"] {
            let (bench, address, _) = try Self.bench()
            let isExport = command == "export"
            let line =
                "\(command) \(address)" + (isExport ? " -o o.mp4 --json --overwrite replace" : "")
            #expect(
                try await run(line, "cache-min-free", "900000TB", by: place, on: bench)
                    == .success, "\(bench.bench.diagnostics.text)")
            #expect(try kept(bench).isEmpty)
            #expect(bench.bench.output.text.contains("sourceNotKept") == isExport)
            #expect(try await run(line, "cache-min-free", "1KB", by: place, on: bench) == .success)
            #expect(try kept(bench).count == 1)
        }
    }

    @Test(
        "one above the most bytes passes, and others go above the most entries",
        arguments: Place.allCases)
    func most(place: Place) async throws {
        let (bench, address, other) = try Self.bench()
        #expect(
            try await run("probe \(address)", "cache-max-bytes", "1000", by: place, on: bench)
                == .success)
        #expect(try kept(bench).isEmpty)
        for one in [address, other] {
            #expect(await bench.run("fetch \(one) \(AddressBench.network)") == .success)
        }
        #expect(try kept(bench).count == 2)
        // A lane may hold what it fetched for a moment longer, and nothing goes that is in use.
        for _ in 0..<200 where try kept(bench).count > 1 {
            #expect(
                try await run("probe \(other)", "cache-max-entries", "1", by: place, on: bench)
                    == .success)
        }
        #expect(try kept(bench).count == 1)
    }

    @Test(
        "a limit that makes no sense is refused before anything is asked",
        arguments: Place.allCases)
    func refused(place: Place) async throws {
        let (bench, address, _) = try Self.bench()
        let code = try await run(
            "probe \(address)", "cache-max-entries", "none", by: place, on: bench)
        #expect(code == (place == .flag ? .usage : .configuration))
        #expect(bench.origin.totals.connections == 0)
    }
}
