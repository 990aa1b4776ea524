import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Copy proof", .tags(.media))
struct CopyProofTests {
    private static let one = ["-bf", "0", "-crf", "20", "-g", "15", "-x264-params", "cabac=0"]

    private func pictures(_ name: String, _ options: [String], size: String = "320x180") throws
        -> Clip
    {
        try Clip.make(
            name,
            Clip.picture(size: size, rate: "30", seconds: 1)
                + ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p"] + options)
    }

    /// One track with two sample descriptions.
    ///
    /// With `isSilent` a copy decodes without a complaint, and shows other pictures.
    private func varied(isSilent: Bool) throws -> Clip {
        let first = try pictures(
            "one.mp4",
            isSilent ? Self.one : ["-bf", "2", "-g", "15", "-x264-params", "cabac=0"])
        let second = try pictures(
            "two.mp4",
            isSilent
                ? ["-bf", "0", "-qp", "40", "-g", "15", "-x264-params", "cabac=0"]
                : ["-bf", "2", "-crf", "30", "-g", "15", "-x264-params", "cabac=1:ref=3"])
        let other = try second.bytes()
        return try first.edited("varied.mp4", recipe: "joined with \(isSilent)") {
            $0 = JoinedMovie($0, other).bytes
        }
    }

    @Test(
        "a track with two descriptions is encoded, and shows what its source shows",
        arguments: [true, false])
    func encodesVaried(isSilent: Bool) async throws {
        let clip = try varied(isSilent: isSilent)
        #expect(try MediaTools.frameCount(clip.path) == 60)
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path], preset: .named("highest"))
        #expect(report.frames == 60)
        #expect(try distance(clip.path, path) < 4)
    }

    @Test("a preset that only copies refuses it, however it is verified")
    func refusesVaried() async throws {
        for verification in ExportSettings.Verification.allCases {
            let trial = try ExportTrial()
            var settings = ExportSettings()
            settings.verification = verification
            let error = try await trial.refusal(
                [try varied(isSilent: true).path], preset: .named("passthrough"),
                settings: settings)
            guard case .unsupported(_, let reason) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.contains("change midway"))
        }
    }

    @Test("parameters that change inside the packets go through where every decoder finds them")
    func provesInband() async throws {
        let first = try pictures("first.ts", Self.one)
        let second = try pictures(
            "second.ts",
            ["-bf", "0", "-qp", "40", "-g", "15", "-x264-params", "cabac=0"]
                + ["-output_ts_offset", "1"])
        let clip = try Clip.concatenated("inband.ts", [first, second])
        for preset in ["passthrough", "highest"] {
            let trial = try ExportTrial()
            let (path, report) = try await trial.export([clip.path], preset: .named(preset))
            #expect(report.frames == 60)
            #expect(try distance(clip.path, path) < 4)
        }
    }

    @Test("a copy that a decoder complains of is encoded instead, the same on every run")
    func encodesComplaints() async throws {
        let clip = try pictures("plain.mp4", ["-bf", "2", "-g", "15"])
            .edited("odd.mp4", recipe: "reference marks of one picture changed") { bytes in
                guard let media = bytes.range(of: Data("mdat".utf8)) else { return }
                for place in stride(
                    from: media.upperBound + bytes.count / 2,
                    to: media.upperBound + bytes.count / 2 + 40,
                    by: 9)
                { bytes[place] ^= 0x24 }
            }
        var endings: Set<String> = []
        for _ in 0..<4 {
            let trial = try ExportTrial()
            let session = ExportSession(
                asset: Asset(path: clip.path), preset: try .named("highest"))
            do {
                let report = try await session.export(to: trial.file("out.mp4"))
                #expect(try MediaTools.decodeErrors(report.output) == [])
                endings.insert("done")
            } catch let error as ExportError {
                endings.insert("\(error)".prefix(20).description)
            }
        }
        #expect(endings.count == 1, "\(endings)")
    }

    /// The mean distance of two files' pictures, from 0 to 255.
    private func distance(_ first: String, _ second: String) throws -> Double {
        let pictures = try [first, second].map { file in
            try Subprocess.run(
                "ffmpeg",
                [
                    "-v", "quiet", "-i", file, "-vf", "scale=32:18,format=gray", "-f", "rawvideo",
                    "-",
                ]
            ).requireSuccess().standardOutput
        }
        #expect(pictures[0].count == pictures[1].count && !pictures[0].isEmpty)
        let sum = zip(pictures[0], pictures[1]).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(max(1, pictures[0].count))
    }
}
