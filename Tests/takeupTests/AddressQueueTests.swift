import Foundation
import TestSupport
import Testing

@testable import takeup

@Suite("Addresses through the queue")
struct AddressQueueTests {
    @Test("batch exports addresses, and answers them from the cache the next time")
    func batch() throws {
        let bench = try AddressBench()
        let address = bench.serve("/a.mp4", [UInt8](try Clip.base(seconds: 1).bytes()))
        let list = #"[{"source": "\#(address)", "preset": "640x480"}]"#
        try bench.bench.write(list, to: "list.json")
        let line = "batch list.json --output out --json"
        let first = try bench.program(line).requireSuccess()
        #expect(first.outputText.contains(#""status":"succeeded""#))
        #expect(try MediaTools.decodeErrors(bench.file("out/a.mp4")) == [])
        let served = bench.origin.bytesServed("/a.mp4")
        let second = try bench.program(line).requireSuccess()
        #expect(second.outputText.contains(#""status":"cached""#))
        #expect(bench.origin.bytesServed("/a.mp4") == served)
        let shown = try ["jobs list", "jobs list --json", "cache list --json", "cache list"].map {
            try bench.program($0).requireSuccess().outputText
        }
        for text in shown + [first, second].flatMap({ [$0.outputText, $0.errorText] }) {
            #expect(!text.contains("secret"))
        }
        #expect(shown.allSatisfy { $0.contains("/a.mp4?…") })
        let dry = try bench.program("batch list.json --dry-run").requireSuccess()
        #expect(dry.outputText.contains("would export"))
    }

    @Test("a worker that is killed amid a download costs little of it")
    func killed() throws {
        let bench = try AddressBench()
        let clip = try Clip.make(
            "raw.mov",
            Clip.picture(size: "320x240", seconds: 5) + [
                "-pix_fmt", "uyvy422", "-c:v", "rawvideo",
            ])
        let bytes = [UInt8](try clip.bytes())
        let address = bench.serve("/raw.mov", bytes) { object in
            object.contentType = "video/quicktime"
            object.faults.bytesPerSecond = 8 << 20
        }
        try bench.bench.write(#"[{"source": "\#(address)", "preset": "low"}]"#, to: "list.json")
        let first = try bench.start("batch list.json --output out")
        #expect(bench.origin.wait { $0.bytesServed("/raw.mov") >= bytes.count / 2 })
        first.signal(9)
        #expect(first.wait().signal == 9)
        _ = try bench.program("batch list.json --output out").requireSuccess()
        #expect(try MediaTools.decodeErrors(bench.file("out/raw.mp4")) == [])
        #expect(bench.origin.bytesServed("/raw.mov") <= bytes.count + 8 << 20)
    }

    @Test("submit waits for the export of an address")
    func submit() throws {
        let bench = try AddressBench()
        let address = bench.serve("/a.mp4", [UInt8](try Clip.base(seconds: 1).bytes()))
        var waiting = try bench.start("submit \(address) --id a -o a.mp4 --wait")
        let isQueued = waiting.waitForOutput(containing: "a\n")
        #expect(isQueued)
        _ = try bench.program("worker --once --json").requireSuccess()
        _ = try waiting.wait().requireSuccess()
        #expect(try MediaTools.decodeErrors(bench.file("a.mp4")) == [])
        let shown = try bench.program("jobs show a --json").requireSuccess().outputText
        #expect(!shown.contains("secret"))
    }
}
