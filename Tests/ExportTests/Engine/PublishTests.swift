import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Publishing", .tags(.media))
struct PublishTests {
    private let before = Data("what was here before".utf8)

    private func clip() throws -> Clip {
        try Clip.make(
            "plain.mp4",
            NumberedPictures.source(seconds: 1) + Clip.tone(seconds: 1)
                + ["-c:v", "libx264", "-c:a", "aac"])
    }

    private func contents(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    @Test("a taken name is refused, replaced or stepped aside for, as asked")
    func treatsTakenNames() async throws {
        let trial = try ExportTrial()
        let source = try clip().path
        try trial.directory.write(before, to: "out.mp4")
        var settings = ExportSettings()
        guard case .outputExists = try await trial.refusal([source], settings: settings) else {
            Issue.record("not refused")
            return
        }
        #expect(try contents(trial.file("out.mp4")) == before)

        settings.overwrite = .unique
        let first = try await trial.export([source], settings: settings).path
        let second = try await trial.export([source], settings: settings).path
        #expect(first == trial.file("out-1.mp4") && second == trial.file("out-2.mp4"))
        #expect(try contents(trial.file("out.mp4")) == before)

        settings.overwrite = .replace
        let replaced = try await trial.export([source], settings: settings).path
        #expect(replaced == trial.file("out.mp4"))
        #expect(try NumberedPictures.numbers(in: replaced) == Array(0..<30))
        #expect(try trial.names() == ["out-1.mp4", "out-2.mp4", "out.mp4"])
    }

    @Test(
        "the source is never the output, by whatever name", arguments: ["same", "symbolic", "hard"])
    func refusesSource(kind: String) async throws {
        let trial = try ExportTrial()
        let bytes = try clip().bytes()
        let output = trial.file("out.mp4")
        var source = output
        try trial.directory.write(bytes, to: "out.mp4")
        switch kind {
        case "symbolic":
            source = trial.file("link.mp4")
            try FileManager.default.createSymbolicLink(
                atPath: source, withDestinationPath: output)
        case "hard":
            source = trial.file("link.mp4")
            try FileManager.default.linkItem(atPath: output, toPath: source)
        default: break
        }
        var settings = ExportSettings()
        settings.overwrite = .replace
        guard case .outputNotCreated = try await trial.refusal([source], settings: settings) else {
            Issue.record("not refused")
            return
        }
        #expect(try contents(output) == bytes)
    }

    @Test("an export that fails leaves the file that it was to replace as it was")
    func keepsOldFile() async throws {
        let trial = try ExportTrial()
        let whole = try clip()
        let cut = try whole.truncated(toBytes: try whole.bytes().count / 2, as: "cut.mp4")
        let damaged = try whole.edited("noise.mp4", recipe: "noise in the middle") { bytes in
            let middle = bytes.count / 3
            for index in middle..<middle + 600 { bytes[index] ^= 0x5a }
        }
        try trial.directory.write(before, to: "out.mp4")
        var settings = ExportSettings()
        settings.overwrite = .replace
        settings.copy = .never
        for path in [cut.path, damaged.path, trial.file("missing.mp4")] {
            _ = try await trial.refusal([path], settings: settings)
            #expect(try contents(trial.file("out.mp4")) == before)
        }
    }

    @Test("three exports at once into one folder do not meet")
    func exportsInParallel() async throws {
        let trial = try ExportTrial()
        let source = try clip().path
        var settings = ExportSettings()
        settings.overwrite = .unique
        settings.copy = .never
        let output = trial.file("out.mp4")
        let outputs = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<3 {
                group.addTask { [settings] in
                    let preset = try ExportTrial.preset()
                    let asset = Asset(path: source)
                    let session = ExportSession(asset: asset, preset: preset, settings: settings)
                    return try await session.export(to: output).output
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(outputs).count == 3)
        #expect(try trial.names() == ["out-1.mp4", "out-2.mp4", "out.mp4"])
        for path in outputs {
            #expect(try NumberedPictures.numbers(in: path) == Array(0..<30))
            #expect(try MediaTools.decodeErrors(path) == [])
        }
    }

    @Test("two runs write the same packets, and the same bytes")
    func repeatsItself() async throws {
        let trial = try ExportTrial()
        let source = try Clip.base(seconds: 1).path
        var hashes: [[FrameHash]] = []
        var files: [Data] = []
        for name in ["one.mp4", "two.mp4"] {
            var settings = ExportSettings()
            settings.copy = .never
            let (path, _) = try await trial.export([source], settings: settings, to: name)
            hashes.append(
                try MediaTools.frameHashes(path, after: ["-map", "0", "-c", "copy"]))
            files.append(try contents(path))
        }
        #expect(hashes[0].count > 60 && hashes[0] == hashes[1])
        #expect(files[0] == files[1])
    }
}
