import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Ends of copies", .tags(.media))
struct CopiedEndsTests {
    private let trial: ExportTrial

    init() throws { trial = try ExportTrial() }

    private func copy(_ clip: Clip, _ settings: ExportSettings) async throws -> ExportReport {
        try await trial.export(
            [clip.path], preset: .named("passthrough"), settings: settings
        ).report
    }

    private static func sound(_ name: String) throws -> Clip {
        try Clip.make(name, Clip.tone(seconds: 2) + ["-c:a", "libmp3lame"])
    }

    @Test(
        "junk behind the last block of MP3 is left out of a copy, and told",
        arguments: ["zeros", "header"], [ExportSettings.Verification.quick, .full])
    func junk(kind: String, verification: ExportSettings.Verification) async throws {
        let whole = try Self.sound("whole.mp3")
        let clip = try whole.edited("\(kind).mp3", recipe: kind) { bytes in
            let header = bytes[2000..<2100]
            bytes.append(kind == "zeros" ? Data(count: 3000) : header + Data(count: 50))
        }
        var settings = ExportSettings()
        settings.verification = verification
        let report = try await copy(clip, settings)
        #expect(report.loss == nil)
        #expect(report.warnings.contains { $0.code == "endLeftOut" })
        let count = try MediaTools.packets(report.output, stream: "a:0").count
        #expect(try count == MediaTools.packets(whole.path, stream: "a:0").count)
    }

    private static func broadcast() throws -> Clip {
        try Clip.make(
            "cut.ts",
            Clip.picture(size: "320x240", seconds: 4) + Clip.tone(seconds: 4)
                + ["-c:v", "libx264", "-b:v", "500k", "-g", "30", "-c:a", "aac"])
    }

    /// A length that ends within the second packet of a picture, some way into the stream.
    private static func withinPicture(_ clip: Clip, _ percent: Int) throws -> Int {
        let bytes = [UInt8](try clip.bytes())
        let count = bytes.count / 188
        let isPicture = { (packet: Int) in
            bytes[packet * 188 + 1] & 0x1f == 1 && bytes[packet * 188 + 2] == 0
        }
        let begins = { (packet: Int) in bytes[packet * 188 + 1] & 0x40 != 0 }
        let first = (count * percent / 100..<count - 2).first {
            isPicture($0) && begins($0) && isPicture($0 + 1) && isPicture($0 + 2) && !begins($0 + 1)
                && !begins($0 + 2)
        }
        return (try #require(first) + 1) * 188 + percent
    }

    @Test(
        "a last picture that was cut is left out of a copy, and told", arguments: [60, 75, 90],
        [nil, 1.0])
    func cutPicture(percent: Int, start: Double?) async throws {
        let whole = try Self.broadcast()
        let bytes = try Self.withinPicture(whole, percent)
        let clip = try whole.truncated(toBytes: bytes, as: "cut.ts")
        let report = try await copy(clip, ExportTrial.settings(from: start))
        #expect(report.loss == nil)
        #expect(report.warnings.contains { $0.code == "endLeftOut" })
        guard start == nil else { return }
        let count = try MediaTools.packets(report.output, stream: "v:0").count
        #expect(try count == MediaTools.packets(clip.path, stream: "v:0").count - 1)
    }

    @Test(
        "a cut shorter than a block of sound is copied, or refused with the reason",
        arguments: ["ac3", "mp3", "flac", "m4a"])
    func shortCut(name: String) async throws {
        let codec = ["mp3": "libmp3lame", "m4a": "aac"][name] ?? name
        let clip = try Clip.make("short.\(name)", Clip.tone(seconds: 2) + ["-c:a", codec])
        let settings = ExportTrial.settings(from: 1, to: 1.005)
        _ = try await trial.export([clip.path], settings: settings, to: "encoded.mp4")
        let preset = try ExportPreset.named("passthrough")
        guard name == "ac3" || name == "mp3" else {
            _ = try await trial.export([clip.path], preset: preset, settings: settings)
            return
        }
        let error = try await trial.refusal([clip.path], preset: preset, settings: settings)
        guard case .unsupported(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("shorter than a block"))
    }

    @Test("pictures without parameter sets are refused with the reason")
    func noParameterSets() async throws {
        let whole = try Self.broadcast()
        // A muxer would put them back. Filler data takes their place.
        let clip = try whole.edited("bare.ts", recipe: "sets become filler") { bytes in
            for set in [UInt8(0x67), 0x68] {
                while let found = bytes.range(of: Data([0, 0, 1, set])) {
                    bytes[found.upperBound - 1] = 0x6c
                }
            }
        }
        let error = try await trial.refusal([clip.path], preset: .named("passthrough"))
        guard case .unsupported(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("parameter sets"))
    }

    @Test("AV1 whose damage makes the copy unreadable is damage of the source")
    func unreadableCopy() async throws {
        let whole = try Clip.make(
            "whole.mp4",
            Clip.picture(size: "320x240", seconds: 2)
                + ["-c:v", "libsvtav1", "-preset", "10", "-b:v", "500k", "-g", "30"])
        let clip = try whole.edited("damaged.mp4", recipe: "heads of 10 pictures") { bytes in
            guard let media = bytes.range(of: Data("mdat".utf8))?.upperBound else { return }
            for place in media..<media + 40 { bytes[place] ^= 0xff }
        }
        let error = try await trial.refusal([clip.path], preset: .named("passthrough"))
        guard case .sourceIncomplete = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
