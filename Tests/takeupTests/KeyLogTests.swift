import Foundation
import TestSupport
import Testing

@Suite("Keys of connections")
struct KeyLogTests {
    @Test("are written nowhere, whatever the environment says")
    func environment() throws {
        let folder = try TemporaryDirectory()
        let file = folder.file("keys")
        let outcome = try Subprocess.run(
            try BuiltProduct.path(of: "takeup"),
            ["fetch", "https://localhost:1/a.mp4", "--cache", folder.file("cache")],
            environment: ["SSLKEYLOGFILE": file])
        #expect(outcome.exitCode != 0)
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
