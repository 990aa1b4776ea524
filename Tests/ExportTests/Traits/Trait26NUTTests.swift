import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Trait 26: NUT that is cut or has a hole", .tags(.media))
struct Trait26NUTTests {
    /// What a file holds.
    struct Form: CustomTestStringConvertible, Sendable {
        let name: String
        let inputs: [String]
        let options: [String]
        var testDescription: String { name }

        func clip() throws -> Clip { try Clip.make("\(name).nut", inputs + options) }
    }

    private static let both =
        Clip.picture(size: "160x96", rate: "25", seconds: 4) + Clip.tone(seconds: 4)
    /// Three pictures in four are left out for a while, and one is shown for over two seconds.
    private static let held =
        "select='lt(n,30)+eq(mod(n,4),0)*lt(n,60)+gt(n,120)',setpts=PTS+0.2*gt(N\\,20)"

    static let forms = [
        Form(name: "h264", inputs: both, options: ["-c:v", "libx264", "-bf", "3", "-c:a", "aac"]),
        // Stored beginnings of frames.
        Form(
            name: "mpeg4", inputs: both,
            options: ["-c:v", "mpeg4", "-g", "12", "-c:a", "libmp3lame"]),
        Form(name: "raw", inputs: both, options: ["-c:v", "rawvideo", "-c:a", "pcm_s16le"]),
        Form(name: "sound", inputs: Clip.tone(seconds: 8), options: ["-c:a", "libopus"]),
        Form(
            name: "held", inputs: Clip.picture(size: "160x96", rate: "25", seconds: 8),
            options: ["-vf", held, "-vsync", "passthrough", "-c:v", "libx264"]),
        Form(
            name: "unindexed", inputs: both,
            options: ["-write_index", "0", "-c:v", "libx264", "-c:a", "aac"]),
    ]

    enum Change: String, CaseIterable {
        case removed, zeros, cut45, cut60, cut75, cut90

        func apply(_ bytes: inout Data) {
            let count = bytes.count
            let hole = count * 5 / 10..<count * 7 / 10
            switch self {
            case .removed: bytes.removeSubrange(hole)
            case .zeros: bytes.resetBytes(in: hole)
            case .cut45: bytes = bytes.prefix(count * 45 / 100)
            case .cut60: bytes = bytes.prefix(count * 60 / 100)
            case .cut75: bytes = bytes.prefix(count * 75 / 100)
            case .cut90: bytes = bytes.prefix(count * 90 / 100)
            }
        }
    }

    @Test("what is missing is a loss", arguments: forms, Change.allCases)
    func damaged(form: Form, change: Change) async throws {
        let clip = try form.clip().edited(
            "\(change).nut", recipe: change.rawValue, change.apply)
        let error = try await ExportTrial().refusal([clip.path])
        guard case .sourceIncomplete = error else {
            Issue.record("\(form.name), \(change): \(String(describing: error))")
            return
        }
    }

    @Test("a whole file is none, nor are two as one", arguments: forms)
    func whole(form: Form) async throws {
        let clip = try form.clip()
        let trial = try ExportTrial()
        let report = try await trial.export([clip.path]).report
        #expect(report.loss == nil && report.warnings.isEmpty)
        let twice = try Clip.concatenated("twice.nut", [clip, clip])
        #expect(try await trial.export([twice.path], to: "twice.mp4").report.loss == nil)
    }
}
