import Foundation
import TestSupport
import Testing

@Suite("The README's commands")
struct ReadmeTests {
    /// Lines of the blocks of commands of a page, in order.
    private func commands(_ page: String) throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
        let blocks = text.components(separatedBy: "```sh\n").dropFirst()
        let lines = blocks.flatMap { $0.components(separatedBy: "```")[0].split(separator: "\n") }
        return lines.map { String($0).replacing(".build/release/takeup", with: "takeup") }
            .filter { $0.hasPrefix("takeup ") || $0.hasPrefix("mkdir -p inbox  ") }
    }

    /// What runs until it is stopped ends once there is nothing to do.
    private func ending(_ line: String) -> String {
        let code = line.components(separatedBy: "  #")[0]
        let runsOn =
            code.hasPrefix("takeup worker") || code.hasPrefix("takeup watch inbox")
        return runsOn ? "\(code) --once" : code
    }

    /// A timeline of one clip, as an editor writes it.
    private static let cut = """
        {"OTIO_SCHEMA": "Timeline.1", "tracks": {"OTIO_SCHEMA": "Stack.1", "children": [
          {"OTIO_SCHEMA": "Track.1", "kind": "Video", "children": [
            {"OTIO_SCHEMA": "Clip.2", "name": "clip", "source_range": null,
             "active_media_reference_key": "DEFAULT_MEDIA", "media_references": {
               "DEFAULT_MEDIA": {"OTIO_SCHEMA": "ExternalReference.1", "target_url": "clip.mov"}
             }}]}]}}
        """

    private func fill(_ bench: AddressBench) throws {
        let clip = try Clip.base(seconds: 3).bytes()
        for folder in ["clips/sub", "takes", "inbox"] {
            try FileManager.default.createDirectory(
                atPath: bench.file(folder), withIntermediateDirectories: true)
        }
        let names = [
            "clip.mov", "a.mov", "b.mov", "c.mov", "b.mkv", "song.mp3", "clips/sub/c.mov",
            "takes/t.mov",
        ]
        for name in names {
            try clip.write(to: URL(filePath: bench.file(name)))
        }
        try clip.write(to: URL(filePath: bench.file("inbox/clip.mov")))
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        try FileManager.default.createSymbolicLink(
            atPath: bench.file("samples"),
            withDestinationPath: root.appending(path: "samples").path)
        try bench.bench.write("source,preset\nclip.mov,low\n", to: "list.csv")
        try bench.bench.write(Self.cut, to: "cut.otio")
        let preset = """
            {"name": "mine", "container": "mp4", "video": null, "audio": {"codec": "aac"}}
            """
        try bench.bench.write(preset, to: "mine.json")
        try FileManager.default.createDirectory(
            atPath: bench.file("config/takeup/presets"), withIntermediateDirectories: true)
        try bench.bench.write(preset, to: "config/takeup/presets/mine.json")
    }

    @Test(
        "every line does what it says behind those above it",
        arguments: [
            "README.md", "docs/PRESETS.md",
        ])
    func inOrder(page: String) throws {
        let bench = try AddressBench()
        try fill(bench)
        let clip = [UInt8](try Clip.base(seconds: 1).bytes())
        let addresses = [
            "https://example.com/clip.mov", "https://example.com/long.mov", "http://10.0.0.7/a.mp4",
        ]
        let served = addresses.map { bench.serve("/\($0.split(separator: "/")[2])", clip) }
        let found = try commands(page)
        #expect(found.count >= 4)
        var server: ServeBench?
        for line in found {
            if line.hasPrefix("takeup serve ") {
                server = try Self.served(line, bench)
                continue
            }
            var line = ending(line)
            if let server { line = line.replacing("http://127.0.0.1:8080", with: server.url) }
            line = line.replacing("10.0.0.0/24", with: "127.0.0.0/8")
            for (address, own) in zip(addresses, served) {
                line = line.replacing("\(address) ", with: "'\(own)' ")
                if line.hasSuffix(address) { line = line.replacing(address, with: "'\(own)'") }
            }
            let program = try BuiltProduct.path(of: "takeup")
            let outcome = try Subprocess.run(
                "/bin/sh", ["-c", "takeup() { '\(program)' \"$@\"; }; \(line)"],
                environment: [
                    "TAKEUP_CACHE": bench.file("cache"), "TAKEUP_HOME": bench.file("home"),
                    "TAKEUP_ALLOW_NETWORK": "127.0.0.0/8", "XDG_CONFIG_HOME": bench.file("config"),
                ], directory: bench.bench.folder, timeoutSeconds: 900)
            #expect(outcome.exitCode == 0, "\(line): \(outcome.errorText)")
        }
        if let server { #expect(server.stop().exitCode == 143) }
    }

    /// The server of a line, on a port of its own; it allows no path, so that it gets the one that the page tells of.
    private static func served(_ line: String, _ bench: AddressBench) throws -> ServeBench {
        let words = line.components(separatedBy: "  #")[0].split(separator: " ").map(String.init)
        let server = try ServeBench(
            Array(words.dropFirst(2)) + ["--allow-path", bench.bench.folder],
            home: bench.file("home"), cache: bench.file("cache"), in: bench.bench.folder)
        #expect(try server.curl(["\(server.url)/livez"]).outputText == "ok\n")
        return server
    }
}
