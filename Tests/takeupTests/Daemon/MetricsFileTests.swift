import Foundation
import TakeupFiles
import TestSupport
import Testing

@testable import TakeupDaemon
@testable import takeup

@Suite("MetricsFile")
struct MetricsFileTests {
    @Test("a file is whole whoever reads it when, and nothing else is left")
    func whole() throws {
        let directory = try TemporaryDirectory()
        let file = MetricsFile(path: directory.file("takeup.prom"))
        // What a kill would leave.
        _ = try directory.write(Data("half".utf8), to: ".takeup.prom.takeup")
        for length in [10, 100_000, 1] {
            let text = String(repeating: "x", count: length)
            try file.write(text)
            #expect(try String(contentsOfFile: file.path, encoding: .utf8) == text)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(names == ["takeup.prom"])
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
        #expect((mode as? Int).map { $0 & 0o600 } == 0o600)
    }

    @Test("a folder that is not there, or a folder in its place, is told")
    func refused() throws {
        let directory = try TemporaryDirectory()
        #expect(throws: FileError.self) {
            try MetricsFile(path: directory.file("none/a.prom")).write("x")
        }
        #expect(throws: FileError.self) { try MetricsFile(path: directory.path).write("x") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }
}
