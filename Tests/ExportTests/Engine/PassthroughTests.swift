import TakeupExport
import TestSupport
import Testing

@Suite("Passthrough", .tags(.media))
struct PassthroughTests {
    static let reordered = [
        ["-c:v", "libx264", "-preset", "veryfast", "-bf", "3"],
        ["-c:v", "libx264", "-preset", "fast", "-bf", "8", "-b_strategy", "2", "-g", "30"],
        ["-c:v", "libx265", "-preset", "fast", "-x265-params", "log-level=none:bframes=4"],
    ]

    private func source(_ name: String, _ codec: [String]) throws -> Clip {
        try Clip.make(
            name,
            Clip.picture(size: "160x90", rate: "25", seconds: 3) + Clip.tone(seconds: 3) + codec
                + ["-pix_fmt", "yuv420p"])
    }

    /// Expects every picture of a clip in the output, unchanged and as far from the first as before.
    private func expectCopy(of clip: Clip, _ path: String) throws {
        let packets = try MediaTools.packets(path, stream: "v:0")
        let dts = packets.compactMap(\.dtsTicks)
        #expect(dts.count == packets.count && !dts.isEmpty)
        #expect(zip(dts, dts.dropFirst()).allSatisfy { $0 < $1 })
        #expect(packets.allSatisfy { $0.ptsTicks ?? .min >= $0.dtsTicks ?? .max })
        let select = ["-map", "0:v", "-fps_mode", "passthrough"]
        let source = try MediaTools.frameHashes(clip.path, after: select)
        #expect(try MediaTools.frameHashes(path, after: select).map(\.md5) == source.map(\.md5))
        // The times that FFmpeg finds in an AVI are those of decoding.
        guard !clip.path.hasSuffix(".avi") else { return }
        let (before, after) = (try Times.seconds(clip.path), try Times.seconds(path))
        #expect(before.count == after.count)
        for (old, new) in zip(before, after) {
            #expect(abs((old - before[0]) - (new - after[0])) < 0.001)
        }
    }

    @Test(
        "sound whose packets tell no duration is copied to its last packet",
        arguments: ["flac", "alac"])
    func untimedSound(codec: String) async throws {
        let clip = try Clip.make(
            "untimed-\(codec).mkv",
            Clip.picture(size: "160x90", rate: "25", seconds: 2) + Clip.tone(seconds: 2)
                + ["-c:v", "libx264", "-bf", "0", "-pix_fmt", "yuv420p", "-c:a", codec])
        let trial = try ExportTrial()
        let (path, _) = try await trial.export([clip.path], preset: .named("passthrough"))
        let count = try MediaTools.packets(path, stream: "a:0").count
        #expect(try count == MediaTools.packets(clip.path, stream: "a:0").count)
    }

    @Test("pictures of Matroska keep their order and times", arguments: reordered)
    func matroska(codec: [String]) async throws {
        let clip = try source("reordered.mkv", codec + ["-c:a", "aac"])
        let trial = try ExportTrial()
        let preset = try ExportPreset.named("passthrough")
        let (path, report) = try await trial.export([clip.path], preset: preset)
        #expect(report.frames == 75)
        try expectCopy(of: clip, path)
    }

    @Test("sound of Matroska lies on its samples again")
    func matroskaSound() async throws {
        let clip = try source("sound.mkv", Self.reordered[0] + ["-c:a", "aac"])
        let trial = try ExportTrial()
        let preset = try ExportPreset.named("passthrough")
        let (path, _) = try await trial.export([clip.path], preset: preset)
        let packets = try MediaTools.packets(path, stream: "a:0")
        let ticks = packets.compactMap(\.ptsTicks)
        #expect(ticks.count > 100)
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $1 - $0 == 1024 })
    }

    @Test("a copy beside sound that is made anew gets the same times")
    func besideSound() async throws {
        let clip = try source("beside.mkv", Self.reordered[0] + ["-c:a", "libopus"])
        var preset = try ExportPreset.named("1280x720")
        preset.video?.maxBitRate = nil
        let trial = try ExportTrial()
        let (path, _) = try await trial.export([clip.path], preset: preset)
        try expectCopy(of: clip, path)
    }

    static let ordered = [
        ["-c:v", "libx264", "-preset", "veryfast", "-bf", "0"], ["-c:v", "mpeg4", "-bf", "0"],
    ]

    @Test("pictures of an AVI that are shown as they are decoded are copied", arguments: ordered)
    func orderedAVI(codec: [String]) async throws {
        let clip = try source("ordered.avi", codec + ["-c:a", "libmp3lame"])
        let trial = try ExportTrial()
        let preset = try ExportPreset.named("passthrough")
        let (path, report) = try await trial.export([clip.path], preset: preset)
        #expect(report.frames == 75)
        try expectCopy(of: clip, path)
    }

    static let unordered = [
        ["-c:v", "libx264", "-preset", "veryfast", "-bf", "2"], ["-c:v", "mpeg4", "-bf", "2"],
    ]

    @Test("B-frames of an AVI, whose times nobody tells, are refused", arguments: unordered)
    func reorderedAVI(codec: [String]) async throws {
        let clip = try source("reordered.avi", codec + ["-c:a", "libmp3lame"])
        try await expectRefusal([clip], "no presentation times")
    }

    @Test("packed B-frames of an AVI are refused")
    func packedAVI() async throws {
        let plain = try Clip.make(
            "plain.avi",
            Clip.picture(size: "160x120", rate: "25", seconds: 2)
                + ["-c:v", "mpeg4", "-bf", "1", "-g", "24", "-q:v", "3", "-vtag", "XVID"])
        let clip = try plain.edited("packed.avi", recipe: "packed") { PackedFrames.pack(&$0) }
        try await expectRefusal([clip], "no presentation times")
    }

    private func expectRefusal(_ clips: [Clip], _ reason: String) async throws {
        let trial = try ExportTrial()
        let preset = try ExportPreset.named("passthrough")
        let error = try await trial.refusal(clips.map(\.path), preset: preset)
        guard case .unsupported(_, let found) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found.contains(reason))
    }

    /// A second of numbered pictures with B-frames, and a beep from 0.5 s to 0.7 s.
    private func part(_ name: String, first: Int, size: String = "160x96") throws -> Clip {
        let beep = "volume='between(t,0.5,0.7)':eval=frame"
        return try Clip.make(
            name,
            NumberedPictures.source(size: size, rate: "25", seconds: 1, first: first)
                + Clip.tone(frequency: 1000, seconds: 1)
                + ["-af", "asetnsamples=96,\(beep)", "-c:v", "libx264", "-bf", "3", "-c:a", "aac"])
    }

    @Test("inputs with equal tracks are joined as they are", arguments: ["mp4", "mkv", "ts"])
    func joins(ending: String) async throws {
        let parts = try [0, 25, 50].map { try part("part.\(ending)", first: $0) }
        let trial = try ExportTrial()
        let preset = try ExportPreset.named("passthrough")
        let (path, report) = try await trial.export(parts.map(\.path), preset: preset)
        #expect(report.frames == 75)
        let packets = try MediaTools.packets(path, stream: "v:0")
        let dts = packets.compactMap(\.dtsTicks)
        #expect(dts.count == 75 && zip(dts, dts.dropFirst()).allSatisfy { $0 < $1 })
        #expect(packets.allSatisfy { $0.ptsTicks ?? .min >= $0.dtsTicks ?? .max })
        let shown = try NumberedPictures.shown(in: path)
        #expect(shown.map(\.number) == Array(0..<75))
        // The sound of a part may end later than its pictures, by a few of its blocks.
        let blocks = 3 * 1024.0 / 48_000
        for picture in shown {
            let late = picture.time - shown[0].time - Double(picture.number) / 25
            let most = blocks * Double(picture.number / 25) + 0.002
            #expect(late > -0.002 && late < most, "\(picture.number)")
        }
        let samples = try Samples(path)
        for part in 0..<3 {
            let time = shown[part * 25].time + 0.5
            let onset = try #require(samples.onset(after: time - 0.3))
            #expect(abs(onset - time) <= 2 * 1024.0 / 48_000, "a beep at \(onset), not \(time)")
        }
    }

    @Test("inputs whose tracks differ are not joined as they are")
    func refusesUnlike() async throws {
        let parts = try [part("part.mp4", first: 0), part("part.mp4", first: 25, size: "160x120")]
        try await expectRefusal(parts, "differ in their sizes, 160x96 and 160x120")
    }
}

@Suite("Copies of what meets the preset", .tags(.media))
struct CompliantCopyTests {
    private func clip(_ name: String, _ options: [String] = ["-c:a", "aac"]) throws -> Clip {
        try Clip.make(
            name,
            Clip.picture(size: "320x180", rate: "25", seconds: 4) + Clip.tone(seconds: 4)
                + ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p"] + options)
    }

    @Test("pictures and sound are copied out of Matroska and TS", arguments: ["mkv", "ts"])
    func copies(ending: String) async throws {
        let clip = try clip("meets.\(ending)")
        let made = try await TraitExport(clip, try .named("1280x720"), copy: .auto)
        #expect(made.plan.video?.mode == .copy)
        #expect(made.decides("video bit rate"))
        let hashes = ["-map", "0:v", "-fps_mode", "passthrough"]
        let source = try MediaTools.frameHashes(clip.path, after: hashes)
        #expect(
            try MediaTools.frameHashes(made.path, after: hashes).map(\.md5) == source.map(\.md5))
        let bytes = try MediaTools.packets(made.path, stream: "v:0").map(\.size).reduce(0, +)
        let line = try #require(made.plan.decisions.first { $0.subject == "video bit rate" })
        let said = try #require(Int(line.choice.split(separator: " ")[0]))
        let kilobits = Double(bytes * 8) / 4000
        #expect(abs(Double(said) - kilobits) < kilobits / 20)
    }

    @Test("sound of Matroska is copied when every packet follows the one before it")
    func copiesSound() async throws {
        let made = try await TraitExport(
            try clip("meets.mkv"), try .named("1280x720"), copy: .auto)
        #expect(made.plan.audio.map(\.mode) == [.copy])
    }

    @Test("a rate beyond the preset's is not copied")
    func refusesHigh() async throws {
        var preset = try ExportPreset.hasty("1280x720")
        preset.video?.maxBitRate = 20_000
        let made = try await TraitExport(try clip("meets.mkv"), preset, copy: .auto)
        #expect(made.plan.video?.mode != .copy)
    }

    @Test("two packets of sound with one time are copied one after the other")
    func copiesEqualTimes() async throws {
        let clip = try Clip.make(
            "times.mp4",
            NumberedPictures.source(rate: "25", seconds: 5) + Clip.tone(seconds: 5) + [
                "-c:v", "libx264", "-g", "30", "-c:a", "libopus",
                "-movflags", "empty_moov+default_base_moof+frag_every_frame",
            ])
        let times = try MediaTools.packets(clip.path, stream: "a:0").compactMap(\.pts)
        try #require(Set(times).count < times.count)
        let trial = try ExportTrial()
        let (path, _) = try await trial.export([clip.path], preset: .named("passthrough"))
        #expect(try MediaTools.packets(path, stream: "a:0").count == times.count)
        #expect(try NumberedPictures.numbers(in: path) == Array(0..<125))
    }

    @Test(
        "Opus and FLAC in a CAF have no header that an MP4 must have", arguments: ["opus", "flac"])
    func lacksCodecHeader(codec: String) async throws {
        let sound = try Clip.make("sound.wav", Clip.tone(seconds: 2) + ["-ac", "2"])
        let clip = try Clip.make(
            "sound.caf", ["-i", sound.path, "-c:a", codec == "opus" ? "libopus" : codec])
        let error = try await ExportTrial().refusal([clip.path], preset: .named("passthrough"))
        guard case .unsupported(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("lacks the header of \(codec)"))
    }
}
