import TakeupExport
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@Suite("Timelines of parts: times, speeds, timecodes, copies", .tags(.media))
struct CutTimelineTests {
    @Test("many parts keep the sound beside the pictures")
    func drift() async throws {
        let trial = try ExportTrial()
        let source = try Clip.make(
            "late.wav",
            [
                "-f", "lavfi", "-i", "aevalsrc='0.5*gte(t,6.5)*sin(2*PI*2000*t)':s=44100:d=7",
                "-c:a", "pcm_f32le",
            ]
        ).path
        let step = MediaTime(value: 1001, timescale: 30_000)
        var parts: [Composition.Segment] = []
        for index in 0..<200 {
            let start = MediaTime(value: Int64(index) * 1001, timescale: 30_000)
            parts.append(.init(source: source, range: TimeRange(start: start, duration: step)))
        }
        var settings = ExportSettings()
        settings.verification = .full
        let request = ExportRequest(
            Composition(tracks: [.init(.audio, segments: parts)]),
            preset: try ExportPreset.named("m4a"), settings: settings)
        let report = try await ExportSession(request).export(to: trial.file("out.m4a"))
        let sound = try Sound(report.output)
        // The parts follow each other in the source: nothing of it moves.
        let onset = sound.channels[0].firstIndex { abs($0) > 0.2 } ?? 0
        #expect(abs(onset - Int(6.5 * 44_100)) < 20, "\(onset)")
    }

    @Test("sound that keeps its pitch is on time at every speed", arguments: [0.25, 0.5, 2, 4])
    func tempo(speed: Double) async throws {
        let trial = try ExportTrial()
        let source = try MixFixture.sound("onset.wav", "0.5*gte(t,1.5)*sin(2*PI*1000*t)", 3)
        let ratio = speed < 1 ? Ratio(1, Int64(1 / speed)) : Ratio(Int64(speed), 1)
        let report = try await MixFixture.export(
            [.init(.audio, segments: [.init(source: source, speed: ratio)])], in: trial,
            preset: ExportPreset.named("m4a"), to: "out.m4a")
        let sound = try Sound(report.output)
        let onset = sound.channels[0].firstIndex { abs($0) > 0.2 } ?? 0
        // The filter chooses its cuts within some milliseconds of the source.
        let late = Double(onset) / 48_000 - 1.5 / speed
        #expect(abs(late) * speed < 0.014, "\(late) s at \(speed)")
    }

    @Test("the pitch follows the speed, also of sound whose layout is not stated")
    func follow() async throws {
        let trial = try ExportTrial()
        let source = try Clip.make(
            "stereo.wav",
            [
                "-f", "lavfi", "-i", "aevalsrc='0.3*sin(2*PI*440*t)|0.3*sin(2*PI*440*t)':d=2",
                "-c:a", "pcm_s16le",
            ]
        ).path
        var segment = Composition.Segment(source: source, speed: Ratio(2, 1))
        segment.pitch = .follow
        let report = try await MixFixture.export(
            [.init(.audio, segments: [segment])], in: trial,
            preset: ExportPreset.named("m4a"), to: "out.m4a")
        #expect(abs(try Sound(report.output).amplitude(of: 880, in: 0, from: 0.4) - 0.3) < 0.02)
    }

    private func timed(_ name: String, _ timecode: String, _ tone: LayerFixture.Tone) throws
        -> String
    {
        try Clip.make(
            name,
            [
                "-f", "lavfi", "-i",
                "nullsrc=size=160x96:rate=25:duration=4,format=yuv420p,"
                    + "geq=lum=\(Int(tone.y)):cb=\(Int(tone.u)):cr=\(Int(tone.v))",
                "-c:v", "libx264", "-g", "10", "-timecode", timecode,
            ]
        ).path
    }

    @Test("the timecode is that of the first picture, of whichever source it is")
    func timecode() async throws {
        let one = try timed("one.mov", "10:00:00:00", LayerFixture.red)
        let two = try timed("two.mov", "01:00:00:00", LayerFixture.blue)
        let part = { (source: String, start: MediaTime) in
            Composition.Segment(source: source, range: TimeRange(start: start, duration: 2))
        }
        let cases: [([Composition.Segment], ExportSettings, String?)] = [
            ([part(one, 2)], ExportSettings(), "10:00:02:00"),
            ([part(two, 1), part(one, 0)], ExportSettings(), "01:00:01:00"),
            ([part(one, 1), part(two, 1)], ExportTrial.settings(from: 3, to: 4), "01:00:02:00"),
            ([part(one, 1)], ExportTrial.settings(from: 1, to: 2), "10:00:02:00"),
            ([.empty(1), part(one, 1)], ExportSettings(), nil),
        ]
        for (segments, settings, wanted) in cases {
            let request = ExportRequest(
                Composition(tracks: [.init(.video, segments: segments)]),
                preset: try ExportTrial.preset(), settings: settings)
            let plan = try await ExportSession(request).plan()
            #expect(plan.metadata["timecode"] == wanted, "\(segments.count)")
        }
    }

    @Test("one part is copied as a range is: from the picture that is shown at its start")
    func copied() async throws {
        let trial = try ExportTrial()
        let film = try MixFixture.film("gop.mp4", seconds: 4)
        let preset = try ExportPreset.named("passthrough")
        let part = Composition.Segment(source: film, range: TimeRange(start: 1.49, end: 2.5))
        let request = ExportRequest(
            Composition(tracks: [.init(.all, segments: [part])]), preset: preset)
        let report = try await ExportSession(request).export(to: trial.file("part.mp4"))
        let (path, _) = try await trial.export(
            [film], preset: preset, settings: ExportTrial.settings(from: 1.49, to: 2.5),
            to: "range.mp4")
        #expect(report.warnings.contains { $0.code == "cutMoved" })
        let found = try MediaTools.packets(report.output).map { [$0.pts, $0.dts] }
        #expect(try found == MediaTools.packets(path).map { [$0.pts, $0.dts] })
    }

    @Test("sound alone beside a track of pictures is mixed, whatever the track takes")
    func soundBeside() async throws {
        let trial = try ExportTrial()
        let (film, tone) = (
            try MixFixture.film(), try MixFixture.tone("alone.wav", 1000, 2)
        )
        let report = try await MixFixture.export(
            [.init(.all, [film]), .init(.all, [tone])], in: trial)
        #expect(try Sound(report.output).amplitude(of: 1000, in: 0, from: 0.5) > 0.2)
        #expect(report.frames == 50)
    }

    @Test("a film of one picture is a still")
    func still() async throws {
        let trial = try ExportTrial()
        let film = try Clip.make(
            "one.mp4",
            [
                "-f", "lavfi", "-i", "color=blue:size=160x96:rate=25", "-frames:v", "1", "-c:v",
                "libx264", "-pix_fmt", "yuv420p",
            ]
        ).path
        let made = try await LayerFixture.export(
            Composition(tracks: [
                .init(
                    .video,
                    segments: [.init(source: film, range: TimeRange(start: 0, duration: 1))])
            ]), in: trial)
        #expect(made.pictures.count == 30, "at the rate of stills")
    }
}
