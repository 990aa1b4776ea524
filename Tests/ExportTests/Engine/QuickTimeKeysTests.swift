import Foundation
import TestSupport
import Testing

@testable import TakeupExport

@Suite("QuickTime keys", .tags(.media))
struct QuickTimeKeysTests {
    private static let place = "+52.5200+013.4050+034.000/"
    private static let keys = [
        "com.apple.quicktime.location.ISO6709": place, "com.apple.quicktime.make": "Apple",
        "com.apple.quicktime.model": "iPhone 15", "com.android.version": "14",
        "com.apple.quicktime.creationdate": "2024-05-06T09:08:09+0200",
    ]

    /// A clip as a phone writes it.
    private func clip(_ name: String = "phone.mov") throws -> TestSupport.Clip {
        let tags = Self.keys.merging(["title": "Café ✓"]) { $1 }.sorted { $0.key < $1.key }
        let phone = try TestSupport.Clip.make(
            "phone.mov",
            TestSupport.Clip.picture(size: "160x96", seconds: 1)
                + TestSupport.Clip.tone(seconds: 1)
                + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]
                + ["-movflags", "use_metadata_tags"]
                + tags.flatMap { ["-metadata", "\($0.key)=\($0.value)"] })
        guard name != "phone.mov" else { return phone }
        return try TestSupport.Clip.make(name, ["-i", phone.path, "-c", "copy"])
    }

    private func tags(
        _ clip: TestSupport.Clip, _ preset: ExportPreset, _ settings: ExportSettings = .init()
    ) async throws -> [String: String] {
        let trial = try ExportTrial()
        let name = "out.\(preset.container.rawValue)"
        let (path, report) = try await trial.export(
            [clip.path], preset: preset, settings: settings, to: name)
        #expect(report.warnings == [])
        return try #require(try MediaTools.probe(path).format.tags)
    }

    @Test(
        "go into every output, beside the words that other players look for",
        arguments: ["phone.mov", "phone.mkv"], ["medium", "passthrough", "m4a"])
    func carried(name: String, preset: String) async throws {
        let found = try await tags(try clip(name), try .named(preset))
        for (key, value) in Self.keys { #expect(found[key] == value, "\(key)") }
        #expect(found["title"] == "Café ✓" && found["synopsis"] == nil)
        #expect(found["location"]?.hasPrefix("+52.5200+013.4050") == true)
    }

    @Test("are seen by MediaInfo, as is the title")
    func seen() async throws {
        let trial = try ExportTrial()
        let (path, _) = try await trial.export([try clip().path])
        let text = try Subprocess.run("mediainfo", [path]).requireSuccess().standardOutput
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        // Newer versions of MediaInfo print some keys under names of their own, and two values in one line.
        for (key, value) in Self.keys {
            #expect(lines.contains { $0.contains(value) }, "\(key)")
        }
        #expect(lines.contains { $0.hasPrefix("Movie name") && $0.hasSuffix("Café ✓") })
    }

    @Test("of QuickTime's old form, which MP4 has no place for, are kept in the new one")
    func old() async throws {
        let clip = try TestSupport.Clip.make(
            "camera.mov",
            TestSupport.Clip.picture(size: "160x96", seconds: 1)
                + ["-c:v", "libx264", "-metadata", "make=Canon", "-metadata", "model=R5"])
        let found = try await tags(clip, try .named("passthrough"))
        #expect(found["com.apple.quicktime.make"] == "Canon")
        #expect(found["com.apple.quicktime.model"] == "R5")
    }

    @Test("are left out if the user removes them, and the user's values replace them")
    func removed() async throws {
        let preset = try ExportPreset.named("passthrough")
        var settings = ExportSettings()
        settings.metadata = ["location": "", "com.apple.quicktime.make": ""]
        var found = try await tags(try clip(), preset, settings)
        #expect(!found.keys.contains { $0.lowercased().contains("location") })
        #expect(found["com.apple.quicktime.make"] == nil)
        #expect(found["com.apple.quicktime.model"] == "iPhone 15")
        settings.metadata = ["location": "+01+002/"]
        found = try await tags(try clip(), preset, settings)
        #expect(found["location"] == "+01.0000+002.0000/")
        #expect(found["com.apple.quicktime.location.ISO6709"] == nil)
        settings.metadata = [:]
        settings.stripsMetadata = true
        found = try await tags(try clip(), preset, settings)
        #expect(!found.keys.contains { $0.contains("com.") || $0.contains("location") })
    }

    @Test("survive a second export, and a removed location does not come back")
    func again() async throws {
        let trial = try ExportTrial()
        let preset = try ExportPreset.named("passthrough")
        let (first, _) = try await trial.export([try clip().path], preset: preset, to: "a.mp4")
        let (second, _) = try await trial.export([first], preset: preset, to: "b.mp4")
        let found = try #require(try MediaTools.probe(second).format.tags)
        for (key, value) in Self.keys { #expect(found[key] == value, "\(key)") }
        var settings = ExportSettings()
        settings.metadata = ["location": ""]
        let (third, _) = try await trial.export(
            [second], preset: preset, settings: settings, to: "c.mp4")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: third))
        #expect(bytes.range(of: Data("52.5".utf8)) == nil)
        #expect(bytes.range(of: Data("loci".utf8)) == nil)
    }

    @Test("are judged by name, size and number, whatever a source says")
    func judged() {
        let long = String(repeating: "x", count: 5_000)
        let odd = [
            "com.apple.quicktime.artwork": "x", "com.": "x", "comment": "x", "com.x": "x",
            "com.apple.note": "a\u{1}b", "com.apple.long": long, "com.ap ple.x": "x",
            "com.apple.empty": "", "make": "Canon", "com.apple.quicktime.make": "Apple",
            "COM.APPLE.QUICKTIME.LOCATION.ISO6709": "+1+2/",
        ]
        #expect(
            QuickTimeKeys.carried(odd) == [
                "com.apple.quicktime.make": "Apple",
                "com.apple.quicktime.location.ISO6709": "+1+2/",
            ])
        let many = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("com.a.\($0)", "x") })
        #expect(QuickTimeKeys.carried(many).count == 128)
    }

    @Test("need a word that the file does not have, and boxes where they must be")
    func room() throws {
        #expect(MovieKeys([:]) == nil)
        let keys = try #require(MovieKeys(["com.apple.quicktime.make": "Apple"]))
        let words = ["synopsis", "network", "keywords", "episode_id", "show"]
        let all = Dictionary(uniqueKeysWithValues: words.map { ($0, "x") })
        #expect(keys.placeholder(beside: all) == nil)
        #expect(keys.placeholder(beside: [:])?.word == "synopsis")
        for junk in [[], [0, 0, 0, 8], Array(repeating: UInt8(255), count: 64)] {
            #expect(keys.put(into: junk, insteadOf: "synopsis") == nil)
        }
    }
}
