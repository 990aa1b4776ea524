import TakeupExport
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@Suite("Layers of other dynamic ranges", .tags(.media))
struct LayerColourTests {
    /// PQ's codes for 203 and 1,000 candela per square metre, in 10 bits of limited range.
    ///
    /// - Note: Source: SMPTE ST 2084: 0.5807 and 0.7518 of 876 above 64.
    private static let white = 573.0
    private static let bright = 723.0

    /// Left of the middle as bright as diffuse white, brighter right of it.
    ///
    /// FFmpeg 5 takes the tags from the options, FFmpeg 7 from the pictures.
    private static func brightFilm() throws -> String {
        let luma = "if(lt(X,W/2),\(Int(white)),\(Int(bright)))"
        return try Clip.make(
            "pq.mkv",
            [
                "-f", "lavfi", "-i",
                "nullsrc=size=160x96:rate=10:duration=0.5,format=yuv420p10le,"
                    + "geq=lum='\(luma)':cb=512:cr=512,setparams=range=tv:colorspace=bt2020nc"
                    + ":color_primaries=bt2020:color_trc=smpte2084",
                "-c:v", "ffv1", "-color_primaries", "bt2020", "-color_trc", "smpte2084",
                "-colorspace", "bt2020nc", "-color_range", "tv",
            ]
        ).path
    }

    private static func plainFilm() throws -> String {
        try Clip.make(
            "sdr.mkv",
            [
                "-f", "lavfi", "-i",
                "nullsrc=size=160x96:rate=10:duration=0.5,format=yuv420p,geq=lum=235:cb=128:cr=128"
                    + ",setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709",
                "-c:v", "ffv1", "-color_primaries", "bt709", "-color_trc", "bt709",
                "-colorspace", "bt709", "-color_range", "tv",
            ]
        ).path
    }

    /// Exports an upper layer on the right half of a lower one.
    private static func luma(
        _ lower: String, _ upper: String, _ preset: String, _ layout: Layout, _ trial: ExportTrial
    ) async throws -> Picture {
        var preset = try ExportTrial.preset(preset)
        preset.video?.crf = 1
        let request = ExportRequest(
            Composition(
                tracks: [.init(.video, [lower]), .init(.video, segments: [.init(source: upper)])],
                background: .black), preset: preset)
        var changed = request
        changed.composition.tracks[1].layout = layout
        let report = try await ExportSession(changed).export(to: trial.file("out.mp4"))
        return try #require(try Picture.luma(report.output).last)
    }

    @Test("white of the standard range is diffuse white in HDR, with every opacity")
    func lifted() async throws {
        let trial = try ExportTrial()
        let right = Area(x: 0.5, y: 0, width: 0.5, height: 1)
        let shown = try await Self.luma(
            Self.brightFilm(), Self.plainFilm(), "hevc-highest",
            Layout(fit: .stretch, area: Ramped(right)), trial)
        #expect(abs(shown.mean(x: 10..<70, y: 20..<70) - Self.white) < 5)
        #expect(abs(shown.mean(x: 90..<150, y: 20..<70) - Self.white) < 8)
        let half = try await Self.luma(
            Self.brightFilm(), Self.plainFilm(), "hevc-highest",
            Layout(fit: .stretch, opacity: Ramped(0.5), area: Ramped(right)), ExportTrial())
        let wanted = (Self.white + Self.bright) / 2
        #expect(abs(half.mean(x: 90..<150, y: 20..<70) - wanted) < 8)
    }

    @Test("HDR above the standard range is tone-mapped, not cut off")
    func mapped() async throws {
        let trial = try ExportTrial()
        let shown = try await Self.luma(
            Self.plainFilm(), Self.brightFilm(), "highest", Layout(), trial)
        let (white, bright) = (
            shown.mean(x: 10..<70, y: 20..<70), shown.mean(x: 90..<150, y: 20..<70)
        )
        #expect(white > 140 && bright > white + 8 && bright <= 236, "\(white) \(bright)")
    }

    @Test("HLG is brought to PQ, also of the same size and format, joined or as a layer")
    func transfers() async throws {
        let trial = try ExportTrial()
        let hlg = try Clip.make(
            "hlg.mkv",
            [
                "-f", "lavfi", "-i",
                "nullsrc=size=160x96:rate=10:duration=0.5,format=yuv420p10le,"
                    + "geq=lum=770:cb=512:cr=512,setparams=range=tv:colorspace=bt2020nc"
                    + ":color_primaries=bt2020:color_trc=arib-std-b67",
                "-c:v", "ffv1", "-color_primaries", "bt2020", "-color_trc", "arib-std-b67",
                "-colorspace", "bt2020nc", "-color_range", "tv",
            ]
        ).path
        let outcome = try Subprocess.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", hlg, "-vf",
                "zscale=transferin=arib-std-b67:transfer=smpte2084:matrixin=bt2020nc"
                    + ":matrix=bt2020nc:primariesin=bt2020:primaries=bt2020,format=yuv420p10le",
                "-frames:v", "1", "-f", "rawvideo", "-",
            ])
        let judged = [UInt8](try outcome.requireSuccess().standardOutput)
        let wanted = Double(judged[0]) + 256 * Double(judged[1])
        #expect(wanted < 700)
        let layer = try await Self.luma(Self.brightFilm(), hlg, "hevc-highest", Layout(), trial)
        #expect(abs(layer.mean(x: 20..<140, y: 20..<70) - wanted) < 8)
        var preset = try ExportTrial.preset("hevc-highest")
        preset.video?.crf = 1
        let joined = ExportRequest(
            Composition(joining: [try Self.brightFilm(), hlg]), preset: preset)
        let report = try await ExportSession(joined).export(to: trial.file("joined.mp4"))
        let last = try #require(try Picture.luma(report.output).last)
        #expect(abs(last.mean(x: 20..<140, y: 20..<70) - wanted) < 8)
    }
}
