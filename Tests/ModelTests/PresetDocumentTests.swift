import Foundation
import TakeupModel
import Testing

@Suite("docs/PRESETS.md")
struct PresetDocumentTests {
    static func text() throws -> String {
        let file = PresetShippedTests.folder.appendingPathComponent("../docs/PRESETS.md")
        return try String(contentsOf: file.standardized, encoding: .utf8)
    }

    static func number(_ value: Double?) -> String {
        value.map { Int(exactly: $0).map(String.init) ?? "\($0)" } ?? "–"
    }

    static func picture(_ video: VideoSettings?) -> [String] {
        guard let video, video.codec != .copy else {
            return [video == nil ? "–" : "copy"] + Array(repeating: "–", count: 8)
        }
        let size = video.maxWidth.flatMap { width in video.maxHeight.map { "\(width)x\($0)" } }
        return [
            video.codec.rawValue, (size ?? "source") + (video.fit == .fit ? "" : " \(video.fit)"),
            number(video.crf), video.speed,
            number(video.maxBitRate.map(Double.init)), number(video.bufferSeconds),
            number(video.keyframeSeconds),
            video.maxFrameRate.map { "≤ \(number($0))" } ?? "source",
            "\(video.dynamicRange.rawValue) \(video.bitDepth) bit",
        ]
    }

    static func sound(_ audio: AudioSettings) -> [String] {
        guard audio.codec != .copy else { return ["copy", "–", audio.tracks.rawValue] }
        return ["\(audio.bitRatePerChannel)", "\(audio.maxChannels)", audio.tracks.rawValue]
    }

    @Test("gives each shipped preset's numbers", arguments: PresetShippedTests.names)
    func row(name: String) throws {
        let preset = try ExportPreset.named(name)
        let audio = try #require(preset.audio)
        let cells =
            ["`\(name)`"] + Self.picture(preset.video) + Self.sound(audio)
            + [preset.subtitles.rawValue]
        let row = "\n| \(cells.joined(separator: " | ")) |\n"
        #expect(try Self.text().contains(row), "\(row)")
    }

    @Test("shows an example that is a preset")
    func example() throws {
        let blocks = try Self.text().components(separatedBy: "```json\n").dropFirst()
        let example = try #require(blocks.first?.components(separatedBy: "```").first)
        #expect(try ExportPreset.decode(Data(example.utf8), from: "docs").name == "lecture")
    }
}
