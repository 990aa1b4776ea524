import Foundation
import TakeupKit
import TestSupport
import Testing

@Suite("The library's errors")
struct LibraryErrorTests {
    @Test("a session without assets throws, and says why in words")
    func empty() async throws {
        let session = ExportSession(joining: [], preset: try .named("medium"))
        let error = await #expect(throws: ExportError.self) { try await session.plan() }
        #expect(error?.localizedDescription.contains("it has no sources") == true)
        let again = await #expect(throws: ExportError.self) {
            try await session.export(to: "/nowhere/out.mp4")
        }
        #expect(again?.localizedDescription.isEmpty == false)
    }

    @Test("a number of lanes that no worker has is an error", arguments: [0, -1, 65])
    func lanes(count: Int) async throws {
        let folder = try TemporaryDirectory()
        let configuration = WorkerConfiguration(stateFolder: folder.file("state"), lanes: count)
        await #expect(throws: WorkerError.lanes(count)) {
            _ = try await ExportQueue(
                cacheFolder: folder.file("cache"), configuration: configuration)
        }
    }

    @Test("an address opens without blocking, and a refused one throws why")
    func address() async throws {
        let folder = try TemporaryDirectory()
        let library = try SourceLibrary(cacheFolder: folder.file("cache"))
        defer { library.close() }
        let error = await #expect(throws: FetchError.self) {
            _ = try await Asset(url: "http://127.0.0.1:9/clip.mov", library: library)
        }
        #expect(error?.localizedDescription.contains("127.0.0.1") == true)
    }
}

@Suite("The README's Swift")
struct ReadmeCodeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The blocks of Swift code, in order: each builds on those before.
    private func code() throws -> String {
        let text = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let blocks = text.components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
        #expect(blocks.count >= 3)
        let lines = blocks.joined().split(separator: "\n", omittingEmptySubsequences: false)
        let body = lines.filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
        // Another program's file: nothing but the library is imported.
        return "import TakeupKit\n\nfunc example() async throws {\n\(body)\n}\n"
    }

    @Test("compiles in another program that imports TakeupKit alone")
    func compiles() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write(Data(try code().utf8), to: "example.swift")
        let modules = URL(filePath: try BuiltProduct.path(of: "takeup"))
            .deletingLastPathComponent().appending(path: "Modules").path
        let maps = ["Curl", "FFmpeg", "Linux", "OpenSSL", "Postgres", "SQLite", "XML"].flatMap {
            let path = Self.root.appending(path: "Sources/CTakeup\($0)/module.modulemap").path
            return ["-Xcc", "-fmodule-map-file=\(path)"]
        }
        let outcome = try Subprocess.run(
            "swiftc",
            ["-typecheck", "-swift-version", "6", "-I", modules] + maps + [file],
            timeoutSeconds: 300)
        #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    }
}
