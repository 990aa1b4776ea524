import Foundation
import TakeupModel
import Testing

@Suite("Preset lookup")
struct PresetLookupTests {
    @Test("a slash with a mark makes a path, too")
    func paths() {
        for path in ["a/b", "../\u{301}a", "/\u{200D}a", "a.json", "a\u{600}.json"] {
            #expect(ExportPreset.isPath(path), "\(path)")
        }
        #expect(!ExportPreset.isPath("medium") && !ExportPreset.isPath("json"))
    }

    @Test(
        "takes AVFoundation's constants as aliases",
        arguments: [
            "LowQuality": "low", "MediumQuality": "medium", "HighestQuality": "highest",
            "640x480": "640x480", "960x540": "960x540", "1280x720": "1280x720",
            "1920x1080": "1920x1080", "3840x2160": "3840x2160",
            "HEVCHighestQuality": "hevc-highest", "HEVC1920x1080": "hevc-1920x1080",
            "HEVC3840x2160": "hevc-3840x2160", "HEVC4320x2160": "hevc-3840x2160",
            "HEVC7680x4320": "hevc-highest", "AppleM4A": "m4a", "Passthrough": "passthrough",
            "AppleM4VCellular": "low", "AppleM4ViPod": "640x480", "AppleM4V480pSD": "640x480",
            "AppleM4VAppleTV": "960x540", "AppleM4VWiFi": "640x480",
            "AppleM4V720pHD": "1280x720", "AppleM4V1080pHD": "1920x1080",
        ])
    func alias(constant: String, name: String) throws {
        #expect(try ExportPreset.resolve("AVAssetExportPreset\(constant)").name == name)
    }

    @Test(
        "says why a constant has no counterpart",
        arguments: [
            ("HEVCHighestQualityWithAlpha", "alpha"), ("HEVC1920x1080WithAlpha", "alpha"),
            ("HEVC3840x2160WithAlpha", "alpha"), ("MVHEVC960x960", "one view"),
            ("MVHEVC1440x1440", "one view"), ("MVHEVC4320x4320", "one view"),
            ("MVHEVC7680x7680", "one view"), ("AppleProRes422LPCM", "ProRes"),
            ("AppleProRes4444LPCM", "ProRes"),
        ])
    func unsupported(constant: String, word: String) {
        let error = #expect(throws: PresetError.self) {
            try ExportPreset.named("AVAssetExportPreset\(constant)")
        }
        guard case .unsupported(let name, let reason) = error else {
            Issue.record("not .unsupported: \(String(describing: error))")
            return
        }
        #expect(name.hasSuffix(constant) && reason.contains(word))
    }

    @Test(
        "suggests the name that was probably meant",
        arguments: [
            ("midium", "medium"), ("Medium", "medium"), ("1280x702", "1280x720"),
            ("hevc-1080", "hevc-1920x1080"), ("social-25", "social-25mb"), ("m4v", "m4a"),
            ("AVAssetExportPreset1280x72", "AVAssetExportPreset1280x720"),
        ])
    func suggestion(name: String, meant: String) {
        let error = #expect(throws: PresetError.self) { try ExportPreset.resolve(name) }
        guard case .unknown(_, let suggestions) = error else {
            Issue.record("not .unknown: \(String(describing: error))")
            return
        }
        #expect(suggestions.contains(meant))
        #expect(error?.description.contains("'\(meant)'") == true)
    }

    @Test(
        "suggests nothing for what resembles nothing",
        arguments: ["", "zzzzzzzzz", "\u{0}", "\u{1B}[31m", String(repeating: "a", count: 100_000)])
    func noSuggestion(name: String) {
        let error = #expect(throws: PresetError.unknown(name: name, suggestions: [])) {
            try ExportPreset.resolve(name)
        }
        let text = error?.description ?? ""
        #expect(text.utf8.count < 500 && !text.unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test("reads a file when the text has a slash or ends in .json, and says when it cannot")
    func files() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("preset-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("mine")
        var mine = try ExportPreset.named("proxy")
        mine.name = "mine"
        try JSONEncoder().encode(mine).write(to: file)
        #expect(try ExportPreset.resolve(file.path) == mine)

        let link = folder.appendingPathComponent("link.json")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(try ExportPreset.resolve(link.path) == mine)

        let long = folder.appendingPathComponent("long.json")
        try Data(repeating: 0x20, count: ExportPreset.longestFile + 1).write(to: long)
        for path in [folder.path, long.path, "/dev/zero", "/dev/stdin", "/nowhere/x", "x.json"] {
            let error = #expect(throws: PresetError.self) { try ExportPreset.resolve(path) }
            guard case .unreadable(path, _) = error else {
                Issue.record("\(path) is not .unreadable: \(String(describing: error))")
                continue
            }
        }
        #expect(throws: PresetError.unreadable(path: "a/\u{0}", reason: "it is no path")) {
            try ExportPreset.resolve("a/\u{0}")
        }
    }
}
