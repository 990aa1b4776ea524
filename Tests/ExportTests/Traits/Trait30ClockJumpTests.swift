import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Trait 30: jumps of the transport stream's clock", .tags(.media))
struct Trait30ClockJumpTests {
    /// One second of pictures, and a beep from 0.5 s to 0.7 s.
    private func part(first: Int, offset: String) throws -> Clip {
        let beep = "volume='between(t,0.5,0.7)':eval=frame"
        return try Clip.make(
            "part.ts",
            NumberedPictures.source(size: "160x96", seconds: 1, first: first)
                + Clip.tone(frequency: 1000, seconds: 1)
                + ["-af", "asetnsamples=96,\(beep)", "-c:v", "libx264", "-c:a", "mp2"]
                + ["-muxdelay", "0.1", "-output_ts_offset", offset])
    }

    private func requireContiguous(_ path: String, _ report: ExportReport, beeps: [Double]) throws {
        #expect(report.frames == 60)
        let shown = try NumberedPictures.shown(in: path)
        #expect(shown.map(\.number) == Array(0..<60))
        let farthest = shown.map { abs($0.time - Double($0.number) / 30) }.max()
        // Sound that ends later than the pictures moves what follows it.
        #expect(try #require(farthest) <= 1152.0 / 48_000)
        let duration = try #require(try MediaTools.probe(path).format.duration)
        #expect(abs(duration - 2) <= 2 * 1152.0 / 48_000)
        let samples = try Samples(path)
        #expect(abs(samples.seconds - 2) <= 2 * 1152.0 / 48_000)
        for beep in beeps {
            let onset = try #require(samples.onset(after: beep - 0.2))
            #expect(abs(onset - beep) <= 1152.0 / 48_000, "beep at \(onset)")
        }
    }

    /// Seconds that each part's clock begins at.
    static let jumps = [("0", "50000"), ("50000", "0"), ("0", "20"), ("0", "0"), ("100", "95")]

    @Test("two parts become one contiguous whole", arguments: jumps)
    func joinsParts(first: String, second: String) async throws {
        let clip = try Clip.concatenated(
            "jump.ts",
            [try part(first: 0, offset: first), try part(first: 30, offset: second)])
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path])
        try requireContiguous(path, report, beeps: [0.5, 1.5])
    }

    @Test("33 bits overflow without a trace")
    func unrollsWrap() async throws {
        let beep = "volume='between(t,1.5,1.7)':eval=frame"
        let clip = try Clip.make(
            "wrap.ts",
            NumberedPictures.source(size: "160x96", seconds: 2)
                + Clip.tone(frequency: 1000, seconds: 2)
                + ["-af", "asetnsamples=96,\(beep)", "-c:v", "libx264", "-c:a", "mp2"]
                // 2^33 ticks of 1/90000 s are 95443.718 s.
                + ["-muxdelay", "0.1", "-output_ts_offset", "95442.7"])
        let times = try MediaTools.packets(clip.path, stream: "v:0").compactMap(\.pts)
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path])
        #expect(times.count == 60)
        try requireContiguous(path, report, beeps: [1.5])
    }

    /// Matroska whose clusters restart their times at second 1.
    private func restarted() throws -> Clip {
        try Clip.make(
            "restarted.mkv",
            NumberedPictures.source(size: "160x96", seconds: 2) + Clip.tone(seconds: 2)
                + ["-c:v", "libx264", "-bf", "0", "-g", "30", "-c:a", "mp2"]
                + ["-cluster_time_limit", "1000"]
        ).edited("restarted.mkv", recipe: "clusters from 1 s on begin at 0") { bytes in
            var place = bytes.startIndex
            while let head = bytes[place...].range(of: Data([0x1F, 0x43, 0xB6, 0x75])) {
                place = head.upperBound
                let sizeBytes = bytes[place].leadingZeroBitCount + 1
                // A checksum of six bytes may come first.
                let start = place + sizeBytes + (bytes[place + sizeBytes] == 0xBF ? 6 : 0)
                let range = start + 2..<start + 2 + Int(bytes[start + 1] & 0x7F)
                let time = bytes[range].reduce(0) { $0 << 8 | Int($1) }
                guard bytes[start] == 0xE7, time >= 1000 else { continue }
                for (shift, index) in range.reversed().enumerated() {
                    bytes[index] = UInt8(truncatingIfNeeded: (time - 1000) >> (8 * shift))
                }
            }
        }
    }

    @Test("Matroska whose clock begins again is one whole, and is not copied")
    func restartsMatroska() async throws {
        let clip = try restarted()
        let last = try MediaTools.packets(clip.path, stream: "v:0").compactMap(\.pts).max()
        try #require(last ?? 2 < 1.5)
        let error = try await ExportTrial().refusal([clip.path], preset: .named("passthrough"))
        guard case .unsupported(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("clock jumps"))
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path])
        #expect(report.frames == 60)
        let duration = try #require(try MediaTools.probe(path).format.duration)
        #expect(abs(duration - 2) < 0.1)
    }

    @Test("Matroska that begins before 0 is not copied: those pictures get no time")
    func beginsBeforeZero() async throws {
        let whole = try Clip.make(
            "whole.mp4", NumberedPictures.source(size: "160x96", seconds: 2) + ["-c:v", "libx264"])
        let clip = try Clip.make(
            "early.mkv",
            ["-itsoffset", "-1", "-i", whole.path, "-c", "copy"]
                + ["-avoid_negative_ts", "disabled"])
        let error = try await ExportTrial().refusal([clip.path], preset: .named("passthrough"))
        guard case .unsupported(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("no presentation times"))
    }
}
