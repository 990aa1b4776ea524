import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Cuts that encode only their ends", .tags(.media))
struct PartExportTests {
    private static let group = ["-g", "25", "-keyint_min", "25", "-sc_threshold", "0"]

    /// Six seconds of numbered pictures, with sound.
    private static func clip(_ name: String) throws -> Clip {
        let reordered = group + ["-bf", "3"]
        let recipes: [String: (rate: String, options: [String])] = [
            "closed.mp4": ("25", group + ["-bf", "0"]), "reordered.mp4": ("25", reordered),
            "pyramid.mp4": (
                "30000/1001", group + ["-bf", "5", "-x264-params", "b-pyramid=normal:ref=4"]
            ),
            "variable.mp4": (
                "30",
                reordered + ["-vf", "select='not(mod(n,7))+lt(mod(n,11),6)'"]
                    + ["-fps_mode", "vfr"]
            ),
            "slices.mp4": ("24", group + ["-bf", "2", "-x264-params", "slices=4"]),
            "other-id.mp4": ("50", group + ["-bf", "3", "-x264-params", "sps-id=1"]),
            "first-id.mp4": ("25", group + ["-x264-params", "sps-id=0"]),
            "baseline.mp4": ("25", group + ["-profile:v", "baseline"]),
            "tagged.mp4": (
                "25",
                reordered
                    + ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
            ),
            "bare.mp4": ("25", reordered + ["-bsf:v", "h264_metadata=sample_aspect_ratio=0/1"]),
            "sets.ts": ("25", reordered), "matroska.mkv": ("25", reordered),
            "open.mp4": ("25", reordered + ["-x264-params", "open-gop=1"]),
            "plain.hevc.mp4": (
                "25", ["-c:v", "libx265", "-x265-params", "keyint=25:log-level=error"]
            ),
        ]
        let recipe = recipes[name] ?? ("25", reordered)
        let codec = name.contains("hevc") ? [] : ["-c:v", "libx264", "-preset", "veryfast"]
        return try Clip.make(
            name,
            NumberedPictures.source(rate: recipe.rate, seconds: 6) + Clip.tone(seconds: 6)
                + codec + recipe.options + ["-c:a", "aac"])
    }

    private struct Made {
        let path: String
        let plan: ExportPlan
        var parts: [VideoPart] { plan.video?.parts ?? [] }
        var modes: String { parts.map { $0.isCopied ? "copy" : "encode" }.joined(separator: " ") }
    }

    private func export(
        _ clips: [Clip], from start: Double?, to end: Double?, _ trial: ExportTrial,
        copy: ExportSettings.CopyPolicy = .auto, to name: String = "out.mp4",
        _ change: (inout ExportPreset) -> Void = { _ in }
    ) async throws -> Made {
        var settings = ExportTrial.settings(from: start, to: end)
        settings.copy = copy
        var preset = try ExportTrial.preset("highest")
        change(&preset)
        let plan = try await ExportSession(
            joining: clips.map { Asset(path: $0.path) }, preset: preset, settings: settings
        ).plan()
        let (path, _) = try await trial.export(
            clips.map(\.path), preset: preset, settings: settings, to: name)
        return Made(path: path, plan: plan)
    }

    /// Expects that the packets of the copied parts lie in the output as they are in the source.
    private func expectCopies(_ made: Made, of clip: Clip) throws {
        let select = ["-map", "0:v", "-fps_mode", "passthrough"]
        let source = Set(try MediaTools.frameHashes(clip.path, after: select).map(\.md5))
        let output = try MediaTools.frameHashes(made.path, after: select).map(\.md5)
        let times = try Times.seconds(made.path)
        #expect(times.count == output.count)
        for part in made.parts where part.isCopied {
            let start = part.segment.targetStart.seconds - 0.001
            let end = start + part.segment.duration.seconds
            let inside = zip(times, output).filter { (start..<end).contains($0.0) }
            #expect(!inside.isEmpty && inside.allSatisfy { source.contains($0.1) })
        }
    }

    /// Expects one description with two pairs of sets, and none in the packets.
    private func expectDescription(_ made: Made) throws {
        let stream = try #require(
            try MediaTools.probe(made.path).streams.first { $0.type == "video" })
        #expect(stream.codecTag == "avc1")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: made.path))
        let place = try #require(bytes.range(of: Data("avcC".utf8))).upperBound
        #expect(bytes[place + 5] & 0x1F == 2)
    }

    @Test(
        "show every picture of the range and no other, at the times of a whole encode",
        arguments: [
            ("closed.mp4", 0.5, 5.3, "encode copy"),
            ("reordered.mp4", 0.5, 5.3, "encode copy encode"),
            ("reordered.mp4", 1, 6, "copy"), ("reordered.mp4", 0, 5.3, "copy encode"),
            ("pyramid.mp4", 0.7, 5.21, "encode copy encode"), ("variable.mp4", 0.4, 5.33, nil),
            ("slices.mp4", 0.55, 5.25, nil), ("other-id.mp4", 0.33, 5.6, nil),
            ("first-id.mp4", 0.5, 5.3, nil), ("baseline.mp4", 0.5, 5.3, "encode copy"),
            ("tagged.mp4", 0.5, 5.3, nil), ("bare.mp4", 0.5, 5.3, nil), ("sets.ts", 0.5, 5.3, nil),
            ("matroska.mkv", 0.5, 5.3, nil), ("open.mp4", 0, 5.3, "copy encode"),
        ] as [(String, Double, Double, String?)])
    func exact(name: String, start: Double, end: Double, modes: String?) async throws {
        let clip = try Self.clip(name)
        let trial = try ExportTrial()
        let made = try await export([clip], from: start, to: end, trial)
        #expect(made.plan.video?.reason.code == .partsCopied, "\(made.plan)")
        if let modes { #expect(made.modes == modes, "\(made.plan)") }
        let whole = try await export([clip], from: start, to: end, trial, copy: .never, to: "w.mp4")
        #expect(whole.parts.isEmpty)
        let (shown, wanted) = (
            try NumberedPictures.shown(in: made.path), try NumberedPictures.shown(in: whole.path)
        )
        #expect(!shown.isEmpty && shown.map(\.number) == wanted.map(\.number))
        for (one, other) in zip(shown, wanted) { #expect(abs(one.time - other.time) < 0.0015) }
        try expectCopies(made, of: clip)
        if made.modes != "copy" { try expectDescription(made) }
        // Nothing that a player would hide remains in the file.
        let packets = try MediaTools.packets(made.path, stream: "v:0")
        #expect(packets.count == shown.count && packets.allSatisfy { !$0.isDiscarded })
        let dts = packets.compactMap(\.dtsTicks)
        #expect(zip(dts, dts.dropFirst()).allSatisfy { $0 < $1 })
        #expect(packets.allSatisfy { $0.ptsTicks ?? .min >= $0.dtsTicks ?? .max })
        let length = try #require(
            try MediaTools.probe(made.path).streams.first { $0.type == "video" }?.duration)
        let other = try #require(
            try MediaTools.probe(whole.path).streams.first { $0.type == "video" }?.duration)
        #expect(abs(length - other) < 0.002)
    }

    @Test("an edit list's hidden pictures are not copied")
    func editList() async throws {
        let whole = try Self.clip("reordered.mp4")
        let clip = try Clip.make("edited.mp4", ["-ss", "0.6", "-i", whole.path, "-c", "copy"])
        let trial = try ExportTrial()
        for (start, end) in [(nil, nil), (0.7, 4.9)] as [(Double?, Double?)] {
            let made = try await export([clip], from: start, to: end, trial, to: "\(end ?? 0).mp4")
            #expect(made.plan.video?.reason.code == .partsCopied, "\(made.plan)")
            let first = Int(((0.6 + (start ?? 0)) * 25 + 0.01).rounded(.down))
            let last = end.map { Int(((0.6 + $0) * 25 - 0.01).rounded(.up)) } ?? 150
            let shown = try NumberedPictures.shown(in: made.path)
            #expect(shown.map(\.number) == (first..<last).map { $0 % 256 })
            try expectCopies(made, of: whole)
        }
    }

    @Test("equal inputs are joined without encoding, and cut where it was asked for")
    func joined() async throws {
        let clip = try Self.clip("reordered.mp4")
        let trial = try ExportTrial()
        let whole = try await export([clip, clip], from: nil, to: nil, trial, to: "whole.mp4")
        #expect(whole.modes == "copy copy", "\(whole.plan)")
        let all = (0..<150).map { $0 }
        #expect(try NumberedPictures.numbers(in: whole.path) == all + all)
        let cut = try await export([clip, clip], from: 0.5, to: 11.3, trial, to: "cut.mp4")
        #expect(cut.modes == "encode copy copy encode", "\(cut.plan)")
        let shown = try NumberedPictures.numbers(in: cut.path)
        #expect(shown == Array(all[12...]) + Array(all[..<133]))
        let other = try Self.clip("closed.mp4")
        let mixed = try await export([clip, other], from: nil, to: nil, trial, to: "mixed.mp4")
        #expect(mixed.parts.isEmpty && mixed.plan.video?.reason.code == .joined)
        #expect(mixed.plan.video?.reason.text.contains("parameters") == true)
    }

    @Test(
        "what cannot be copied is encoded as a whole, with the reason",
        arguments: [
            ("open.mp4", 0.5, 5.3, "IDR"), ("reordered.mp4", 0.5, 1.3, "less than half"),
            ("plain.hevc.mp4", 0.5, 5.3, "H.264"),
        ])
    func unsafe(name: String, start: Double, end: Double, reason: String) async throws {
        let clip = try Self.clip(name)
        let trial = try ExportTrial()
        let made = try await export([clip], from: start, to: end, trial) { preset in
            guard name.contains("hevc") else { return }
            preset.video?.codec = .hevc
            preset.video?.profile = nil
        }
        #expect(made.parts.isEmpty)
        #expect(made.plan.video?.reason.code == .cut)
        #expect(made.plan.video?.reason.text.contains(reason) == true, "\(made.plan)")
        let first = Int(start * 25), last = Int((end * 25).rounded(.up))
        #expect(try NumberedPictures.numbers(in: made.path) == Array(first..<last))
    }
}

@Suite("Parts that prove wrong", .tags(.media))
struct WrongPartTests {
    private static func group(_ name: String, first: Int, _ options: [String]) throws -> Clip {
        try Clip.make(
            name,
            NumberedPictures.source(rate: "25", seconds: 2, first: first)
                + ["-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-bf", "0"] + options)
    }

    @Test("where only the middle has other parameter sets, all is encoded after all")
    func changedSets() async throws {
        let first = try Self.group("first.h264", first: 0, [])
        let second = try Self.group("second.h264", first: 50, ["-refs", "4"])
        let third = try Self.group("third.h264", first: 100, [])
        let raw = try Clip.concatenated("changed.h264", [first, second, third])
        let clip = try Clip.make(
            "changed.mkv", ["-framerate", "25", "-fflags", "+genpts", "-i", raw.path, "-c", "copy"])
        let trial = try ExportTrial()
        let settings = ExportTrial.settings(from: 0.2, to: 5.8)
        let preset = try ExportTrial.preset("highest")
        let plan = try await ExportSession(
            joining: [Asset(path: clip.path)], preset: preset, settings: settings
        ).plan()
        #expect(plan.video?.parts.isEmpty == false, "\(plan)")
        let (path, report) = try await trial.export(
            [clip.path], preset: preset, settings: settings)
        #expect(try NumberedPictures.numbers(in: path) == Array(5..<145))
        #expect(report.frames == 140)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let place = try #require(bytes.range(of: Data("avcC".utf8))).upperBound
        #expect(bytes[place + 5] & 0x1F == 1, "it has parts")
    }

    @Test("damage within the copied part is a loss, as in a whole encode")
    func damaged() async throws {
        let whole = try Clip.make(
            "damage.mp4",
            Clip.picture(size: "320x180", rate: "25", seconds: 6)
                + ["-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-pix_fmt", "yuv420p"])
        let clip = try whole.edited("damaged.mp4", recipe: "400 bytes in the middle") { bytes in
            for place in bytes.count / 2..<bytes.count / 2 + 400 { bytes[place] ^= 0x5A }
        }
        let trial = try ExportTrial()
        let settings = ExportTrial.settings(from: 0.5, to: 5.5)
        let preset = try ExportTrial.preset("highest")
        let plan = try await ExportSession(
            joining: [Asset(path: clip.path)], preset: preset, settings: settings
        ).plan()
        #expect(plan.video?.parts.isEmpty == false, "\(plan)")
        let error = try await trial.refusal([clip.path], preset: preset, settings: settings)
        guard case .sourceIncomplete = error else {
            Issue.record("refused with \(String(describing: error))")
            return
        }
    }
}
