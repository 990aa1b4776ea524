import Foundation
import TestSupport
import Testing

@testable import takeup

@Suite("Exports of addresses that are killed")
struct AddressResumeTests {
    /// 83 MB of raw pictures, the index in front, so that the encode is as far as the download.
    private static func clip() throws -> Clip {
        try Clip.make(
            "raw.mov",
            Clip.picture(size: "320x240", seconds: 18) + [
                "-pix_fmt", "uyvy422", "-c:v", "rawvideo", "-movflags", "+faststart",
            ])
    }

    @Test(
        "an export killed at half of download and encode costs the origin 1.02 times the object",
        arguments: ["export ADDRESS -o out.mp4 --preset low", "batch list.json -o ."])
    func killed(line: String) throws {
        let bench = try AddressBench()
        let clip = try Self.clip()
        let bytes = Int64(try clip.bytes().count)
        let half = bytes / 2
        let piece: Int64 = 512 << 10
        let address = bench.serve("/raw.mov", [UInt8](try clip.bytes())) { object in
            object.contentType = "video/quicktime"
            // Each time so long that what came before is committed by the first byte behind it.
            object.faults.stalls = [
                OriginStall(at: half, seconds: 1.5), OriginStall(at: half + piece, seconds: 1.5),
                OriginStall(at: half + 2 * piece),
            ]
        }
        let list = #"[{"source": "\#(address)", "preset": "low", "output": "out.mp4"}]"#
        try bench.bench.write(list, to: "list.json")
        let command = line.replacing("ADDRESS", with: address) + " --json"
        var first = try bench.start(command)
        #expect(
            bench.origin.wait {
                $0.bytesServed("/raw.mov") >= half + 2 * piece
            })
        let isEncoding = Self.waitForHalf(&first)
        #expect(isEncoding)
        first.signal(9)
        #expect(first.wait().signal == 9)
        #expect(!FileManager.default.fileExists(atPath: bench.file("out.mp4")))
        bench.origin.change("/raw.mov") { $0.faults.stalls = [] }
        _ = try bench.program(command).requireSuccess()
        #expect(try MediaTools.decodeErrors(bench.file("out.mp4")) == [])
        #expect(try MediaTools.frameCount(bench.file("out.mp4")) == 540)
        let served = bench.origin.bytesServed("/raw.mov")
        #expect(Double(served) <= 1.02 * Double(bytes), "\(served) of \(bytes)")
    }

    /// Waits until the encode is where the download stands, but for the pictures that an encoder holds.
    private static func waitForHalf(_ export: inout Subprocess) -> Bool {
        for _ in 0..<100 {
            for percent in 36...55 {
                let text = #""phase":"encode","fraction":0.\#(percent)"#
                if export.waitForOutput(containing: text, timeoutSeconds: 0.05) { return true }
            }
        }
        return false
    }
}
