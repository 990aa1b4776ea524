import Foundation
import TakeupFFmpeg
import TakeupFiles
import TakeupLanes
import TakeupTimeline
import TestSupport
import Testing

@testable import TakeupExport

@Suite("Quick verification", .tags(.media))
struct OutputCheckTests {
    /// Four seconds in groups of one second, the index in front.
    private static func whole(
        _ name: String = "whole.mp4", _ options: [String]? = nil
    ) throws -> TestSupport.Clip {
        let usual = ["-c:v", "libx264", "-g", "30", "-bf", "2", "-sc_threshold", "0"]
        return try TestSupport.Clip.make(
            name,
            TestSupport.Clip.picture(size: "320x180", seconds: 4)
                + TestSupport.Clip.tone(seconds: 4)
                + (options ?? usual + ["-c:a", "aac"])
                + ["-shortest", "-movflags", "+faststart"])
    }

    private static func remade(
        _ name: String, _ options: [String], from start: String = "0"
    ) throws -> TestSupport.Clip {
        try TestSupport.Clip.make(
            name, ["-ss", start, "-i", whole().path] + options + ["-movflags", "+faststart"])
    }

    /// What a muxer would have noted while it wrote a file.
    private static func result(_ path: String) throws -> PassResult {
        let demuxer = try opened(path).demuxer(Cancellation())
        var result = PassResult()
        result.written = demuxer.streams.map { WrittenTrack($0.kind, timeBase: $0.timeBase) }
        let packet = try Packet()
        while try demuxer.read(into: packet) {
            _ = result.written[packet.streamIndex].count(packet)
        }
        result.frames = result.written.first { $0.kind == .video }?.shownPackets ?? 0
        return result
    }

    private static func opened(_ path: String) throws -> OpenedSource {
        try Asset(path: path).open()
    }

    /// What the check says of a file where another one was written.
    private static func verdict(_ path: String, _ result: PassResult) throws -> ExportError? {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        let check = OutputCheck(
            file: OpenFile(descriptor, name: "output"), cancellation: Cancellation(),
            progress: ProgressMeter(interval: .seconds(1)) { _ in })
        do throws(ExportError) {
            try check.judge(try check.quick(result))
            return nil
        } catch {
            return error
        }
    }

    /// A clip whose packets of one stream between two places are overwritten.
    private static func scarred(
        _ name: String, _ places: ClosedRange<Double>
    ) throws -> TestSupport.Clip {
        try whole().edited(name, recipe: "noise in \(places) of the media") { bytes in
            guard let media = bytes.range(of: Data("mdat".utf8)) else { return }
            let size = Double(bytes.count - media.upperBound)
            let first = media.upperBound + Int(size * places.lowerBound)
            let last = media.upperBound + Int(size * places.upperBound)
            for place in stride(from: first, to: min(last, bytes.count), by: 5) {
                bytes[place] ^= 0x5A
            }
        }
    }

    static let faults: [String: @Sendable () throws -> TestSupport.Clip] = [
        "the last group is missing": { try remade("short.mp4", ["-t", "3", "-c", "copy"]) },
        "the first picture is missing": {
            try remade("headless.mp4", ["-c", "copy", "-bsf:v", "noise=drop=eq(n\\,0):amount=0"])
        },
        "the last picture is missing": {
            try remade("tailless.mp4", ["-c", "copy", "-bsf:v", "noise=drop=eq(n\\,119):amount=0"])
        },
        "one picture within is missing": {
            try remade("holed.mp4", ["-c", "copy", "-bsf:v", "noise=drop=eq(n\\,63):amount=0"])
        },
        "pictures begin late": {
            try remade(
                "late.mp4", ["-c", "copy", "-bsf:v", "setts=pts=PTS+512:dts=DTS+512"])
        },
        "sound begins late": {
            try remade(
                "hoarse.mp4", ["-c", "copy", "-bsf:a", "setts=pts=PTS+2048:dts=DTS+2048"])
        },
        "pictures end late": {
            try remade(
                "slow.mp4", ["-c", "copy", "-bsf:v", "setts=pts=PTS*1.02:dts=DTS*1.02"])
        },
        "the file breaks off": {
            try whole().edited("broken.mp4", recipe: "the last 20,000 bytes go") {
                $0.removeLast(20_000)
            }
        },
        "its end is overwritten": { try scarred("end.mp4", 0.93...1) },
        "its start is overwritten": { try scarred("start.mp4", 0.01...0.05) },
        "sound is missing": { try remade("mute.mp4", ["-map", "0:v", "-c", "copy"]) },
        "pictures are missing": { try remade("blind.mp4", ["-map", "0:a", "-c", "copy"]) },
        "tracks are swapped": {
            try remade("swapped.mp4", ["-map", "0:a", "-map", "0:v", "-c", "copy"])
        },
        "an edit list hides pictures": {
            try remade("hidden.mp4", ["-c", "copy"], from: "0.5")
        },
    ]

    @Test("refuses, with 76, what is not what was written", arguments: faults.keys.sorted())
    func refuses(_ fault: String) throws {
        let written = try Self.result(Self.whole().path)
        let make = try #require(Self.faults[fault])
        let error = try #require(try Self.verdict(make().path, written))
        guard case .verificationFailed = error else {
            Issue.record("\(error)")
            return
        }
        #expect(Failure(error).exitCode == .verificationFailed)
    }

    static let good: [String: [String]?] = [
        "whole.mp4": nil,
        "open.mp4": ["-c:v", "libx264", "-g", "25", "-bf", "3", "-x264-params", "open-gop=1"]
            + ["-c:a", "aac"],
        "refresh.mp4": ["-c:v", "libx264", "-x264-params", "intra-refresh=1:keyint=30"]
            + ["-c:a", "aac"],
        "one-group.mp4": ["-c:v", "libx264", "-g", "1000", "-c:a", "libmp3lame"],
        "intra.mp4": ["-c:v", "libx264", "-g", "1", "-c:a", "ac3"],
        "interlaced.mp4": ["-c:v", "libx264", "-flags", "+ildct+ilme", "-c:a", "libopus"],
        "hevc.mp4": ["-c:v", "libx265", "-x265-params", "keyint=40:log-level=error"]
            + ["-c:a", "flac", "-strict", "experimental"],
        "av1.mp4": ["-c:v", "libsvtav1", "-preset", "12", "-g", "50", "-c:a", "alac"],
        "mpeg4.mp4": ["-c:v", "mpeg4", "-bf", "2", "-g", "12", "-c:a", "mp2"],
        "mpeg2.mp4": ["-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-c:a", "aac"],
        "long.mp4": ["-vf", "fps=120", "-c:v", "libx264", "-g", "1000", "-c:a", "aac"],
    ]

    @Test("accepts what was written, of every kind", arguments: good.keys.sorted())
    func accepts(_ name: String) throws {
        let clip = try Self.whole(name, Self.good[name] ?? nil)
        #expect(try Self.verdict(clip.path, Self.result(clip.path)) == nil)
    }
}
