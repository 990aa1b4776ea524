import Foundation
import TakeupExport
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

/// Pictures of one colour, and what ffmpeg decodes of exports that are composed of them.
enum LayerFixture {
    /// A colour as it is stored: luma and both of chroma.
    struct Tone: Equatable {
        var y: Double
        var u: Double
        var v: Double

        init(_ y: Double, _ u: Double, _ v: Double) { (self.y, self.u, self.v) = (y, u, v) }

        static let black = Tone(16, 128, 128)

        func mixed(_ other: Tone, _ share: Double) -> Tone {
            Tone(
                y + (other.y - y) * share, u + (other.u - u) * share, v + (other.v - v) * share)
        }

        func distance(to other: Tone) -> Double {
            max(abs(y - other.y), abs(u - other.u), abs(v - other.v))
        }
    }

    static let red = Tone(81, 90, 240)
    static let blue = Tone(60, 200, 110)
    static let pale = Tone(200, 110, 140)

    /// A lossless clip of one colour.
    static func flat(
        _ name: String, _ tone: Tone, size: String = "160x96", rate: Int = 10, seconds: Double = 1,
        before: [String] = [], sound: [String] = []
    ) throws -> String {
        let formula = "geq=lum=\(Int(tone.y)):cb=\(Int(tone.u)):cr=\(Int(tone.v))"
        return try Clip.make(
            name,
            [
                "-f", "lavfi", "-i",
                "nullsrc=size=\(size):rate=\(rate):duration=\(seconds),format=yuv420p,\(formula)",
            ] + sound + before + ["-c:v", "libx264", "-qp", "0", "-g", "5", "-c:a", "flac"]
        ).path
    }

    static func preset() throws -> ExportPreset {
        var preset = try ExportTrial.preset("highest")
        preset.video?.crf = 1
        return preset
    }

    /// One decoded picture of 4:2:0.
    struct Shown {
        let width: Int
        let height: Int
        let bytes: [UInt8]

        func luma(_ x: Int, _ y: Int) -> Double { Double(bytes[y * width + x]) }

        /// The colour around a luma sample.
        func tone(_ x: Int, _ y: Int) -> Tone {
            let (wide, size) = (width / 2, width * height)
            let place = (y / 2) * wide + x / 2
            return Tone(
                luma(x, y), Double(bytes[size + place]), Double(bytes[size + size / 4 + place]))
        }
    }

    /// All pictures of a file, as ffmpeg decodes them, without any conversion.
    static func pictures(_ path: String) throws -> [Shown] {
        let video = try #require(try MediaTools.probe(path).streams("video").first)
        let (width, height) = (try #require(video.width), try #require(video.height))
        let outcome = try Subprocess.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", path, "-map", "0:v:0", "-vsync", "passthrough",
                "-f", "rawvideo", "-pix_fmt", "yuv420p", "-",
            ], timeoutSeconds: 300)
        let all = [UInt8](try outcome.requireSuccess().standardOutput)
        let size = width * height * 3 / 2
        try #require(!all.isEmpty && all.count % size == 0)
        return (0..<all.count / size).map {
            Shown(width: width, height: height, bytes: Array(all[$0 * size..<($0 + 1) * size]))
        }
    }

    /// Exports, and requires what the plan says: as many pictures, evenly.
    static func export(
        _ composition: Composition, in trial: ExportTrial, preset: ExportPreset? = nil,
        settings: ExportSettings = ExportSettings()
    ) async throws -> (pictures: [Shown], report: ExportReport, plan: ExportPlan) {
        #expect(composition.fault == nil)
        var settings = settings
        settings.verification = .full
        let request = ExportRequest(
            composition, preset: try preset ?? Self.preset(), settings: settings)
        let plan = try await ExportSession(request).plan()
        let report = try await ExportSession(request).export(to: trial.file("out.mp4"))
        #expect(try MediaTools.decodeErrors(report.output) == [])
        let times = try MediaTools.packets(report.output, stream: "v:0").compactMap(\.pts).sorted()
        if let composed = plan.video?.composition {
            #expect(times.count == composed.count && report.frames == composed.count)
            for (index, time) in times.enumerated() {
                #expect(abs(time - composed.time(of: index).seconds) < 0.001)
            }
        }
        return (try pictures(report.output), report, plan)
    }

    static func track(
        _ sources: [String], _ layout: Layout? = nil, joined: Transition? = nil
    ) -> Composition.Track {
        var track = Composition.Track(.video, sources)
        track.layout = layout
        for place in track.segments.indices.dropFirst() {
            track.segments[place].transition = joined
        }
        return track
    }

    static func ramp<Value>(
        _ from: Value, _ to: Value, _ start: MediaTime = 0, _ duration: MediaTime = 1
    ) -> Ramped<Value> {
        Ramped(from, ramps: [.init(start: start, duration: duration, from: from, to: to)])
    }
}
