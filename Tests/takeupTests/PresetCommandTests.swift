import Foundation
import TakeupExport
import TakeupModel
import TestSupport
import Testing

@testable import takeup

@Suite("Presets of a user's folder, and presets for")
struct PresetCommandTests {
    private let bench: TestBench

    init() throws {
        bench = try TestBench()
        try FileManager.default.createDirectory(
            atPath: "\(bench.folder)/takeup/presets", withIntermediateDirectories: true)
    }

    private func add(_ name: String, _ change: (inout ExportPreset) -> Void = { _ in }) throws {
        var preset = try ExportPreset.named("low")
        preset.name = name
        change(&preset)
        try bench.write(preset.canonicalJSON(), to: "takeup/presets/\(name).json")
    }

    private func run(_ line: String) async -> ExitCode {
        let words = line.split(separator: " ").map(String.init)
        return await Program.run(
            words, in: bench.context(environment: ["XDG_CONFIG_HOME": bench.folder]))
    }

    private func objects() throws -> [[String: Any]] {
        let data = Data((bench.output.lines.last ?? "").utf8)
        let value = try JSONSerialization.jsonObject(with: data)
        if let rows = value as? [[String: Any]] { return rows }
        return [try #require(value as? [String: Any])]
    }

    @Test("are listed with their files, shown, checked and completed")
    func listed() async throws {
        try add("mine")
        try add("broken") { $0.name = "other" }
        #expect(await run("presets list --json") == .success)
        let rows = try objects()
        let origins = rows.compactMap { $0["from"] as? String }
        let file = "\(bench.folder)/takeup/presets/mine.json"
        #expect(rows.count == ExportPreset.shipped.count + 1 && origins.last == file)
        #expect(origins.first == "shipped" && rows.last?["name"] as? String == "mine")
        #expect(bench.diagnostics.text.contains("broken.json"))
        #expect(await run("presets list") == .success)
        #expect(bench.output.text.contains("(\(file))"))
        #expect(await run("presets show mine") == .success)
        #expect(await run("presets check takeup/presets/mine.json") == .success)
        #expect(!bench.diagnostics.text.contains("to be found by its name"))
        #expect(await run("presets check takeup/presets/broken.json") == .configuration)
        let own = try String(contentsOfFile: file, encoding: .utf8)
        try bench.write(own, to: "copy.json")
        #expect(await run("presets check copy.json") == .success)
        #expect(bench.diagnostics.text.contains("has to be called mine.json"))
        #expect(await run("presets check takeup/presets/mine") != .success)
        #expect(bench.diagnostics.text.contains("presets/mine"))
        try bench.write("{", to: "takeup/presets/mine")
        #expect(await run("presets check takeup/presets/mine") == .configuration)
        try add("medium")
        #expect(await run("presets check takeup/presets/medium.json") == .configuration)
        #expect(await run("completion bash") == .success)
        #expect(bench.output.text.contains("mine"))
    }

    @Test("a dry run into a folder that is to be made names the file and makes nothing")
    func newFolder() async throws {
        let clip = try Clip.base()
        let line = "export \(clip.path) -o new/deep/ --dry-run --json"
        #expect(await run(line) == .success)
        let output = try #require(try objects().first?["output"] as? [String: Any])
        #expect((output["path"] as? String)?.hasSuffix("/new/deep/base.mp4") == true)
        #expect(!FileManager.default.fileExists(atPath: "\(bench.folder)/new"))
        #expect(await run("export \(clip.path) -o /proc/new/ --dry-run") == .outputNotCreated)
    }

    @Test("go by their names in commands and lists; a shipped name is refused")
    func used() async throws {
        let clip = try Clip.base()
        try add("mine")
        #expect(await run("export \(clip.path) -o a.mp4 --preset mine --dry-run") == .success)
        try bench.write("source,preset\n\(clip.path),mine\n", to: "list.csv")
        let places = "--home \(bench.folder)/home --cache \(bench.folder)/cache"
        #expect(await run("batch list.csv --dry-run --json \(places)") == .success)
        #expect(try objects().first?["would"] as? String == "export")
        try add("lecture")
        #expect(await run("export \(clip.path) -o a.mp4 --preset lectur --dry-run") == .usage)
        #expect(bench.diagnostics.text.contains("did you mean 'lecture'"))
        try add("medium")
        #expect(await run("export \(clip.path) -o a.mp4 --dry-run") == .configuration)
        #expect(bench.diagnostics.text.contains("there is a shipped preset 'medium'"))
    }

    @Test("presets for says size, copy or encode, bytes and losses, in 80 columns")
    func table() async throws {
        let clip = try Clip.make(
            "rich.mp4",
            Clip.picture(size: "1280x720", rate: "50", seconds: 0.5) + Clip.tone(seconds: 0.5)
                + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-ac", "6", "-c:a", "aac"])
        try add("mine") { $0.video = nil }
        #expect(await run("presets for \(clip.path)") == .success)
        let lines = bench.output.lines
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
        #expect(lines.first?.hasPrefix("preset") == true)
        let proxy = try #require(lines.first { $0.hasPrefix("proxy ") })
        #expect(proxy.contains("960x540") && proxy.contains("encode") && proxy.contains("~"))
        #expect(lines.contains { $0.hasPrefix("mine ") && $0.contains("pictures") })
        #expect(await run("presets for \(clip.path) --json") == .success)
        let rows = try objects()
        let row = try #require(rows.first { $0["name"] as? String == "proxy" })
        #expect(row["width"] as? Int == 960 && row["height"] as? Int == 540)
        #expect(row["losses"] as? [String] == ["resolution", "frames", "channels"])
        #expect((row["expectedBytes"] as? Int ?? 0) > 1000)
        let copied = try #require(rows.first { $0["name"] as? String == "passthrough" })
        let tracks = try #require(copied["tracks"] as? [[String: Any]])
        #expect(tracks.map { $0["mode"] as? String } == ["copy", "copy"])
        #expect(copied["expectedBytesAre"] as? String == "measured")
    }
}
