import Foundation
import TakeupModel
import TestSupport
import Testing

@Suite("PresetFolder")
final class PresetFolderTests {
    private let directory: TemporaryDirectory
    private let folder: PresetFolder

    init() throws {
        directory = try TemporaryDirectory()
        folder = PresetFolder(path: directory.file("presets"))
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true)
    }

    private func write(_ name: String, inner: String? = nil) throws {
        var preset = try ExportPreset.named("low")
        preset.name = inner ?? name
        try Data(preset.canonicalJSON().utf8).write(to: URL(filePath: folder.file(name)))
    }

    @Test("finds a preset by the name of its file, everywhere a name is taken")
    func found() throws {
        try write("mine")
        #expect(try folder.preset(named: "mine")?.name == "mine")
        #expect(try ExportPreset.resolve("mine", in: folder).name == "mine")
        #expect(try ExportPreset.resolve("medium", in: folder) == ExportPreset.named("medium"))
        #expect(try folder.preset(named: "yours") == nil)
        #expect(try folder.preset(named: "../presets/mine") == nil)
        #expect(throws: PresetError.self) { try ExportPreset.resolve("mine") }
        try write("lecture")
        #expect(throws: PresetError.unknown(name: "lectur", suggestions: ["lecture"])) {
            try ExportPreset.resolve("lectur", in: folder)
        }
        let missing = PresetFolder(path: directory.file("none"))
        #expect(missing.names().isEmpty)
        #expect(try ExportPreset.resolve("low", in: missing).name == "low")
    }

    @Test("a preset that cannot be looked at is not a missing one")
    func untold() throws {
        // No file system has so long a name, and root is refused it, too.
        let folder = PresetFolder(path: directory.file(String(repeating: "x", count: 300)))
        #expect {
            try folder.preset(named: "mine")
        } throws: { error in
            if case PresetError.unreadable = error { true } else { false }
        }
    }

    @Test(
        "a shipped name is never taken over without a word",
        arguments: ["medium", "AVAssetExportPreset1280x720", "AVAssetExportPresetMVHEVC960x960"])
    func shadowed(name: String) throws {
        try write(name)
        let error = PresetError.shadowed(name: name, path: folder.file(name))
        #expect(throws: error) { try ExportPreset.resolve(name, in: folder) }
        let report = Failure(error)
        #expect(report.code == "presetShadowed" && report.exitCode == .configuration)
    }

    @Test("a file with another name inside, or none, is said")
    func faults() throws {
        try write("one", inner: "other")
        try Data("{".utf8).write(to: URL(filePath: folder.file("two")))
        try write("three")
        try Data().write(to: URL(filePath: folder.path + "/notes.txt"))
        let entries = folder.entries()
        #expect(entries.map(\.name) == ["one", "three", "two"])
        #expect(entries.map { (try? $0.preset.get()) != nil } == [false, true, false])
        guard case .failure(.invalid(_, "name", let reason)) = entries[0].preset else {
            Issue.record("\(entries[0])")
            return
        }
        #expect(reason.contains("other") && reason.contains("one.json"))
    }

    @Test("the ending of the output decides about the container")
    func endings() throws {
        let medium = try ExportPreset.named("medium")
        let sound = try ExportPreset.named("m4a")
        for name in ["x.mp4", "x.MP4", "dir/x.m4v", "x"] {
            #expect(try medium.writing(to: name) == medium)
        }
        let alone = try medium.writing(to: "x.M4A")
        #expect(alone.container == .m4a && alone.video == nil && alone.subtitles == .drop)
        #expect(try sound.writing(to: "x.m4a") == sound)
        #expect(try sound.writing(to: "x.mp4").container == .mp4)
        #expect(try sound.writing(to: "folder/") == sound)
        var silent = medium
        silent.audio = nil
        #expect(throws: PresetError.self) { try silent.writing(to: "x.m4a") }
    }
}
