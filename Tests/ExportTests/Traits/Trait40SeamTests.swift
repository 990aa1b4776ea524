import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Trait 40: seams that are hard to find", .tags(.media))
struct Trait40SeamTests {
    private static let modern = ["-c:v", "libx264", "-g", "12", "-c:a", "aac"]
    private static let fragments =
        modern + ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]

    /// A second of numbered pictures, from 0 or 25 on.
    private static func part(_ name: String, _ codec: [String], isFirst: Bool) throws -> Clip {
        try Clip.make(
            name,
            NumberedPictures.source(
                size: "160x96", rate: "25", seconds: 1, first: isFirst ? 0 : 25)
                + Clip.tone(frequency: isFirst ? 440 : 880, seconds: 1) + codec)
    }

    private func expectAll(_ source: Clip, warns: Bool = true) async throws {
        let trial = try ExportTrial()
        let session = ExportSession(
            asset: Asset(path: source.path), preset: try ExportTrial.preset())
        let report = try await session.export(to: trial.file("out.mp4"))
        #expect(try NumberedPictures.numbers(in: report.output) == Array(0..<50))
        #expect(report.loss == nil)
        #expect(report.warnings.contains { $0.code == "partsJoined" } == warns)
    }

    static let containers = [
        ("mp4", modern), ("wmv", ["-c:v", "wmv2", "-q:v", "3", "-c:a", "wmav2"]),
        ("mkv", modern), ("flv", modern + ["-ar", "44100"]),
        ("mxf", ["-c:v", "mpeg2video", "-q:v", "3", "-c:a", "pcm_s16le"]),
    ]

    @Test("junk between two files hides neither", arguments: containers)
    func skipsJunk(ending: String, codec: [String]) async throws {
        let parts = try [true, false].map { try Self.part("part.\(ending)", codec, isFirst: $0) }
        for junk in [Data(count: 1000), Data("some text that is no element".utf8)] {
            let first = try parts[0].edited("first.\(ending)", recipe: "\(junk.count) junk") {
                $0 += junk
            }
            try await expectAll(Clip.concatenated("junk.\(ending)", [first, parts[1]]))
        }
    }

    @Test("movies without their type are told apart", arguments: [true, false], [true, false])
    func findsOldMovies(isFirstFast: Bool, isSecondFast: Bool) async throws {
        let parts = try [(true, isFirstFast), (false, isSecondFast)].map { isFirst, isFast in
            let flags = isFast ? ["-movflags", "faststart"] : []
            return try Self.part("old.mov", Self.modern + flags, isFirst: isFirst)
                .edited("old.mov", recipe: "without its type", Self.removeType)
        }
        try await expectAll(Clip.concatenated("old.mov", parts))
    }

    /// Takes the first box away, and moves what the index points at.
    private static func removeType(_ file: inout Data) {
        let length = file.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        file = Data(file.dropFirst(length))
        var rest = 0..<file.count
        while let table = file.range(of: Data("stco".utf8), in: rest) {
            let places = stride(from: table.upperBound + 8, to: file.count, by: 4)
            let count = file[table.upperBound + 4..<table.upperBound + 8].reduce(0) {
                $0 << 8 | Int($1)
            }
            for place in places.prefix(count) {
                let old = file[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                withUnsafeBytes(of: (old - UInt32(length)).bigEndian) {
                    file.replaceSubrange(place..<place + 4, with: $0)
                }
            }
            rest = table.upperBound..<file.count
        }
    }

    @Test("a movie in fragments may follow a plain one")
    func findsFragments() async throws {
        let parts = try [
            Self.part("plain.mp4", Self.modern, isFirst: true),
            Self.part("fragments.mp4", Self.fragments, isFirst: false),
        ]
        try await expectAll(Clip.concatenated("mixed.mp4", parts))
    }

    @Test("MXF files of other codecs follow one another")
    func findsExchange() async throws {
        let sound = ["-c:a", "pcm_s16le"]
        let parts = try [
            Self.part("old.mxf", ["-c:v", "mpeg2video", "-q:v", "3"] + sound, isFirst: true),
            Self.part("new.mxf", ["-c:v", "libx264"] + sound, isFirst: false),
        ]
        let source = try Clip.concatenated("mixed.mxf", parts)
        try await expectAll(source)
        let whole = try await Verification.decodeWhole(source.path)
        #expect(whole.frames == 50 && whole.problems == [])
    }

    @Test("a head that comes again between fragments begins no other movie")
    func passesRepeatedHead() async throws {
        let clip = try Clip.make(
            "live.mp4",
            NumberedPictures.source(size: "160x96", rate: "25", seconds: 2)
                + Clip.tone(seconds: 2) + Self.fragments)
        let source = try clip.edited("again.mp4", recipe: "the head comes again") {
            guard let first = $0.range(of: Data("moof".utf8)),
                let last = $0.range(of: Data("moof".utf8), options: .backwards)
            else { return }
            $0.insert(contentsOf: $0[..<(first.lowerBound - 4)], at: last.lowerBound - 4)
        }
        try await expectAll(source, warns: false)
        // The same film once more is another one, though its head is the same.
        let found = try await Asset(path: Clip.concatenated("twice.mp4", [clip, clip]).path)
            .inspect()
        #expect(found.duration.seconds > 3.9)
    }

    private func expectSound(_ source: Clip, warns: Bool = true) async throws {
        let trial = try ExportTrial()
        let (path, report) = try await trial.export(
            [source.path], preset: .named("m4a"), to: "out.m4a")
        let samples = try Samples(path)
        #expect(abs(samples.pitch(from: 0.2, to: 0.8) - 440) < 2)
        if warns { #expect(abs(samples.pitch(from: 1.2, to: 1.8) - 880) < 2) }
        #expect(abs(samples.seconds - (warns ? 2 : 1)) < 0.1)
        #expect(report.warnings.contains { $0.code == "partsJoined" } == warns)
        #expect(report.loss == nil)
    }

    @Test("long WAV, and WAV that was streamed, are told apart", arguments: ["RF64", "RIFF"])
    func findsLongWaves(name: String) async throws {
        let parts = try [440, 880].map { frequency in
            let long = name == "RF64" ? ["-rf64", "always"] : []
            let clip = try Clip.make(
                "\(name).wav", Clip.tone(frequency: frequency, seconds: 1) + long)
            guard name == "RIFF" else { return clip }
            return try clip.edited("streamed.wav", recipe: "sizes are unknown") {
                $0.replaceSubrange(4..<8, with: Data(repeating: 0xFF, count: 4))
                guard let data = $0.range(of: Data("data".utf8)) else { return }
                let size = data.upperBound..<data.upperBound + 4
                $0.replaceSubrange(size, with: Data(repeating: 0xFF, count: 4))
            }
        }
        try await expectSound(Clip.concatenated("\(name).wav", parts))
    }

    @Test("sound that was streamed is told apart", arguments: ["au", "caf"])
    func findsStreamed(ending: String) async throws {
        let parts = try [440, 880].map {
            let clip = try Clip.make("known.\(ending)", Clip.tone(frequency: $0, seconds: 1))
            return try clip.edited("streamed.\(ending)", recipe: "its size is unknown") {
                let place = ending == "au" ? 8 : $0.range(of: Data("data".utf8))?.upperBound ?? 0
                let length = ending == "au" ? 4 : 8
                let ones = Data(repeating: 0xFF, count: length)
                $0.replaceSubrange(place..<place + length, with: ones)
            }
        }
        try await expectSound(Clip.concatenated("streamed.\(ending)", parts))
    }

    /// FLAC with an ID3 tag before it, and a block of an application that names the format.
    private static func tagged(_ frequency: Int) throws -> Clip {
        try Clip.make("plain.flac", Clip.tone(frequency: frequency, seconds: 1))
            .edited("tagged.flac", recipe: "a tag and a block") {
                let mark = Data("fLaC".utf8) + [0, 0, 0, 34]
                let block = Data([2, 0, 0, 16]) + Data("test".utf8) + mark + Data(count: 4)
                let tag = Data("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + Data(count: 128)
                $0.insert(contentsOf: block, at: 42)
                $0 = tag + $0
            }
    }

    @Test("FLAC with a tag before it is one part, and two of them are two")
    func findsTaggedSound() async throws {
        let (first, second) = (try Self.tagged(440), try Self.tagged(880))
        try await expectSound(first, warns: false)
        try await expectSound(Clip.concatenated("tagged.flac", [first, second]))
    }
}
