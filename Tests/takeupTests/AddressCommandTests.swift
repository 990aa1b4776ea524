import Foundation
import TakeupModel
import TestSupport
import Testing

@testable import takeup

@Suite("Commands on addresses")
struct AddressCommandTests {
    private static func clip(seconds: Int = 1) throws -> [UInt8] {
        Array(try Clip.base(seconds: seconds).bytes())
    }

    @Test(
        "the export of an address is that of its file, frame for frame",
        arguments: ["plain", "ignored", "throttled", "chunked"])
    func equal(kind: String) async throws {
        let bench = try AddressBench()
        let bytes = try Self.clip(seconds: 2)
        let address = bench.serve("/a.mp4", bytes) { object in
            switch kind {
            case "ignored": object.faults.ranges = .ignored
            case "throttled": object.faults.bytesPerSecond = bytes.count
            case "chunked":
                (object.faults.framing, object.faults.ranges) = (.chunked, .ignored)
            default: break
            }
        }
        let line = "export \(address) -o . --preset 640x480 --copy never"
        #expect(await bench.run("\(line) \(AddressBench.network)") == .success)
        let local = try Clip.base(seconds: 2).path
        #expect(
            await bench.run("export \(local) -o b.mp4 --preset 640x480 --copy never") == .success)
        #expect(
            try MediaTools.frameHashes(bench.file("a.mp4"))
                == MediaTools.frameHashes(bench.file("b.mp4")))
    }

    @Test("pictures and sound come from two addresses, and JSON shows no secret")
    func split() async throws {
        let bench = try AddressBench()
        let (video, audio) = (
            bench.serve("/v.mp4", try Self.clip()), bench.serve("/a.mp4", try Self.clip(seconds: 2))
        )
        let line = "export --video \(video) --audio \(audio) -o o.mp4 --json"
        #expect(await bench.run("\(line) \(AddressBench.network)") == .success)
        let objects = try bench.objects()
        #expect(
            objects.first?["source"] as? [String] == [
                bench.origin.url("/v.mp4?…"), bench.origin.url("/a.mp4?…"),
            ])
        #expect(objects.contains { $0["phase"] as? String == "fetch" })
        #expect(!(bench.bench.output.text + bench.bench.diagnostics.text).contains("secret"))
    }

    @Test(
        "what cannot be fetched has its exit code and leaves nothing",
        arguments: [
            ("missing", ExitCode.inputMissing), ("login", .notMedia), ("expired", .notPermitted),
            ("denied", .notPermitted),
        ])
    func failures(kind: String, code: ExitCode) async throws {
        let bench = try AddressBench()
        let address = bench.serve("/a.mp4", try Self.clip()) { object in
            switch kind {
            case "missing": object.faults.answers = [.status(404)]
            case "login": object.faults.answers = [.loginPage()]
            case "expired": object.faults.answers = [.status(403)]
            default: break
            }
        }
        let network = kind == "denied" ? "" : AddressBench.network
        #expect(await bench.run("export \(address) -o o.mp4 \(network)") == code)
        #expect(!FileManager.default.fileExists(atPath: bench.file("o.mp4")))
        #expect(!bench.bench.diagnostics.text.contains("secret"))
        if kind == "denied" {
            #expect(bench.origin.totals.connections == 0)
            #expect(bench.bench.diagnostics.text.contains("--allow-network"))
        }
    }

    @Test("a source that cannot be fetched to its end is never salvaged")
    func cut() async throws {
        let bench = try AddressBench()
        let bytes = try Clip.make(
            "cut.ts",
            Clip.picture(size: "320x240", seconds: 5) + [
                "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
            ]
        ).bytes()
        let address = bench.serve("/a.ts", Array(bytes)) { object in
            object.contentType = "video/mp2t"
            object.faults.bytesPerSecond = bytes.count
            object.faults.expiry = OriginExpiry(
                after: .bytes(Int64(bytes.count * 2 / 3)), parameter: nil)
        }
        let line = "export \(address) -o o.mp4 --on-truncated salvage \(AddressBench.network)"
        #expect(await bench.run(line) == .notPermitted)
        #expect(!FileManager.default.fileExists(atPath: bench.file("o.mp4")))
    }

    @Test("probe and presets for look into an address")
    func inspection() async throws {
        let bench = try AddressBench()
        let address = bench.serve("/a.mp4", try Self.clip())
        #expect(await bench.run("probe \(address) --json \(AddressBench.network)") == .success)
        #expect(bench.bench.output.text.contains(#""playable":true"#))
        #expect(await bench.run("presets for \(address) \(AddressBench.network)") == .success)
        #expect(!bench.bench.output.text.contains("secret"))
        #expect(await bench.run("probe \(address)") == .notPermitted)
    }

    @Test("a network that is none is refused", arguments: ["10.0.0.0/33", "10.0.0.1/8", "x", ""])
    func networks(text: String) async throws {
        let bench = try AddressBench()
        #expect(await bench.run("export a.mov -o o.mp4 --allow-network=\(text)") == .usage)
    }
}
