import Foundation
import TakeupExport
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

@Suite("Media probe")
struct MediaProbeTests {
    private static func sized(_ name: String, _ arguments: [String]) throws -> Clip {
        try Clip.make(
            name,
            Clip.picture(size: "320x240", seconds: 2) + Clip.tone(seconds: 2) + arguments)
    }

    @Test("tells a movie's size, length, codecs and tracks")
    func movie() throws {
        let facts = try ProbeTrial().facts(Clip.base(seconds: 2).path)
        #expect((facts.width, facts.height) == (640, 360))
        #expect(abs((facts.seconds ?? 0) - 2) < 0.1)
        #expect((facts.videoCodec, facts.audioCodec) == ("h264", "aac"))
        #expect(facts.hasVideo && facts.isChecked)
        #expect(facts.languages == [])
        #expect(facts.cutShort == nil)
    }

    @Test("sizes are those that are shown: turned, and with square pixels")
    func shown() throws {
        let trial = try ProbeTrial()
        let turned = try Clip.turned("turned.mp4", of: Clip.base(seconds: 1))
        let facts = try trial.facts(turned.path)
        #expect((facts.width, facts.height) == (360, 640))
        let wide = try Self.sized("wide.mp4", ["-vf", "setsar=2/1", "-c:v", "libx264", "-an"])
        let stretched = try trial.facts(wide.path)
        #expect((stretched.width, stretched.height) == (640, 240))
        #expect(stretched.audioCodec == nil)
    }

    @Test("tells the languages of sound tracks, in order and each once")
    func languages() throws {
        let tones = [660, 880, 990].flatMap { Clip.tone(frequency: $0, seconds: 1) }
        let clip = try Clip.make(
            "tongues.mkv",
            Clip.picture(size: "320x240", seconds: 1) + tones + [
                "-map", "0", "-map", "1", "-map", "2", "-map", "3", "-c:v", "libx264",
                "-c:a:0", "libopus", "-c:a:1", "ac3", "-c:a:2", "ac3",
                "-metadata:s:a:0", "language=deu", "-metadata:s:a:1", "language=fre",
                "-metadata:s:a:2", "language=deu", "-disposition:a:0", "0",
                "-disposition:a:1", "default", "-disposition:a:2", "0",
            ])
        let facts = try ProbeTrial().facts(clip.path)
        #expect(facts.languages.count == 2)
        #expect(facts.languages.last == "fre")
        #expect(facts.audioCodec == "ac3")
    }

    @Test("sound alone has no picture, though it has a cover")
    func sound() throws {
        let trial = try ProbeTrial()
        let clip = try Clip.make("sound.m4a", Clip.tone(seconds: 1) + ["-c:a", "aac"])
        let facts = try trial.facts(clip.path)
        #expect(!facts.hasVideo && facts.audioCodec == "aac")
        #expect(facts.videoCodec == nil && facts.width == nil)
        let covered = try Clip.make(
            "covered.mp3",
            Clip.tone(seconds: 1) + Clip.picture(size: "64x64", rate: "1", seconds: 1) + [
                "-map", "0", "-map", "1", "-c:v", "mjpeg", "-frames:v", "1",
                "-disposition:v", "attached_pic",
            ])
        #expect(try !trial.facts(covered.path).hasVideo)
    }

    @Test("a file that is cut short says why", arguments: ["mkv", "ts", "avi", "faststart.mp4"])
    func cut(suffix: String) throws {
        let trial = try ProbeTrial()
        let start = suffix == "faststart.mp4" ? ["-movflags", "+faststart"] : []
        let whole = try Self.sized(
            "whole.\(suffix)", ["-c:v", "libx264", "-c:a", "aac"] + start)
        #expect(try trial.facts(whole.path).cutShort == nil)
        let part = try trial.facts(ProbeTrial.cut(whole, percent: 40, "part.\(suffix)"))
        #expect(part.cutShort != nil)
        #expect((part.videoCodec, part.width) == ("h264", 320))
    }

    @Test("one whose index is not there yet is incomplete, not foreign")
    func unopened() throws {
        let trial = try ProbeTrial()
        let clip = try Clip.base(seconds: 2)
        let headless = try trial.facts(ProbeTrial.cut(clip, percent: 40, "part.mp4"))
        #expect(headless.cutShort?.contains("moov") == true)
        #expect(headless.videoCodec == nil && !headless.hasVideo)
        let moov = try clip.truncated(toBytes: clip.bytes().count - 50, as: "nearly.mp4")
        #expect(try trial.facts(moov.path).cutShort != nil)
        #expect(try trial.facts(trial.file("a.mp4", Data())).cutShort == "the file is empty")
        let zeros = try trial.file("b.mp4", Data(count: 100_000))
        #expect(try trial.facts(zeros).cutShort?.contains("zeros") == true)
    }

    @Test("beginnings of movies are told from pieces of others, and from words")
    func beginnings() throws {
        let trial = try ProbeTrial()
        func box(_ type: String, _ size: UInt32, _ count: Int) -> Data {
            withUnsafeBytes(of: size.bigEndian) { Data($0) } + Data(type.utf8)
                + Data(repeating: 7, count: count)
        }
        let unfinished = [
            box("ftyp", 16, 8) + box("mdat", 0, 5000), box("wide", 8, 0) + box("mdat", 1, 5000),
            box("mdat", 90_000, 300), box("ftyp", 16, 8) + box("mdat", 508, 500),
            box("ftyp", 16, 8), box("ftyp", 16, 8) + box("moov", 9000, 100),
            Data([0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42]),
        ]
        for (number, bytes) in unfinished.enumerated() {
            let path = try trial.file("\(number).mp4", bytes)
            #expect(try trial.facts(path).cutShort != nil, "\(number)")
        }
        let foreign = [
            box("styp", 16, 8) + box("moof", 508, 500) + box("mdat", 0, 500),
            box("free", 0x5468_6520, 9000), box("ftyp", 16, 8) + box("mdat", 3, 500),
        ]
        for (number, bytes) in foreign.enumerated() {
            let path = try trial.file("foreign\(number).mp4", bytes)
            guard case .refused? = trial.error(path) else {
                Issue.record("\(number) was taken")
                continue
            }
        }
    }

    @Test("whatever a helper answers stays within limits")
    func bounded() {
        var facts = MediaFacts()
        (facts.seconds, facts.width, facts.height) = (-.infinity, -1, 0)
        facts.videoCodec = String(repeating: "é", count: 1000)
        facts.languages = Array(repeating: String(repeating: "x", count: 99), count: 99)
        facts.cutShort = String(repeating: "x", count: 99_999)
        let bounded = facts.bounded
        #expect(bounded.seconds == nil && bounded.width == nil && bounded.height == nil)
        #expect(bounded.videoCodec?.utf8.count == 64)
        #expect(bounded.languages.count == 64 && bounded.languages[0].count == 64)
        #expect(bounded.cutShort?.count == 1000)
    }

    @Test(
        "what is no media is refused, and the next file is looked into by the same helper",
        arguments: ["It was a dark and stormy night.\n", "The free world\n", "<html>"])
    func foreign(text: String) throws {
        let trial = try ProbeTrial()
        let path = try trial.file("letter.mp4", Data(String(repeating: text, count: 500).utf8))
        guard case .refused(let report)? = trial.error(path) else {
            Issue.record("it was taken")
            return
        }
        #expect(report.code == "notMedia")
        let pid = trial.probe.pid
        #expect(try trial.facts(Clip.base(seconds: 1).path).hasVideo)
        #expect(pid != nil && trial.probe.pid == pid)
    }

    @Test("what is no regular file is refused")
    func folder() throws {
        let trial = try ProbeTrial()
        guard case .refused? = trial.error(trial.directory.file(".")) else {
            Issue.record("a folder was taken")
            return
        }
    }
}
