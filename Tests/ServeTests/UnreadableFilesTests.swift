import Foundation
import TakeupDigest
import TakeupFiles
import TakeupIntake
import TakeupJobs
import TakeupLanes
import TakeupService
import TestSupport
import Testing

@testable import TakeupServe

/// A folder in the place of a file cannot be read as one, whoever asks.
@Suite("Files that cannot be read")
struct UnreadableFilesTests {
    private static let octets = [("Content-Type", "application/octet-stream")]

    private func replace(_ path: String) throws {
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    @Test("a request whose stored answer cannot be read is not done again")
    func storedAnswer() throws {
        let trial = try JobTrial()
        let source = try trial.file("a.mov")
        let body = #"{"id": "a", "source": "\#(source)"}"#
        let key = [("Idempotency-Key", "k")]
        #expect(try trial.ask("POST", "/v1/jobs", body, key).status == 201)
        let folder = trial.places.home + "/" + (try keyFolder(trial))
        let names = try #require(try Folder.names(in: folder))
        #expect(names.count == 1)
        let path = "\(folder)/\(names[0])"
        try replace(path)
        let again = try trial.ask("POST", "/v1/jobs", body, key)
        #expect(again.status == 503 && again.word("code") == "storageFailed", "\(again.text)")
        try FileManager.default.removeItem(atPath: path)
        try Data("{".utf8).write(to: URL(filePath: path))
        #expect(try trial.ask("POST", "/v1/jobs", body, key).status == 503)
    }

    private func keyFolder(_ trial: JobTrial) throws -> String {
        let names = try Folder.names(in: trial.places.home) ?? []
        return try #require(names.first { $0.contains("idempotency") || $0.contains("keys") })
    }

    @Test("a request whose answer cannot be stored is not done")
    func noRoomForAnswer() throws {
        let trial = try JobTrial()
        let source = try trial.file("a.mov")
        let body = #"{"id": "a", "source": "\#(source)"}"#
        #expect(
            try trial.ask("POST", "/v1/jobs", body, [("Idempotency-Key", "first")]).status == 201)
        let folder = trial.places.home + "/" + (try keyFolder(trial))
        try FileManager.default.removeItem(atPath: folder)
        try Data().write(to: URL(filePath: folder))
        let other = #"{"id": "b", "source": "\#(source)"}"#
        let refused = try trial.ask("POST", "/v1/jobs", other, [("Idempotency-Key", "second")])
        #expect(refused.status >= 500)
        #expect(try trial.ask("GET", "/v1/jobs/b").status == 404)
    }

    @Test("an upload that cannot be read is neither missing nor removed")
    func upload() throws {
        let trial = try JobTrial()
        let id = try #require(
            try trial.ask(
                "POST", "/v1/uploads?name=a.mov", bytes: Array("0123456789".utf8), Self.octets
            ).word("id"))
        let folder = "\(trial.places.home)/uploads/\(id)"
        try replace("\(folder)/.upload.json")
        #expect(try trial.ask("HEAD", "/v1/uploads/\(id)").status == 503)
        #expect(try trial.ask("GET", "/v1/uploads").status == 503)
        #expect(try trial.ask("DELETE", "/v1/uploads/\(id)").status == 503)
        trial.clockOffset.withLock { $0 = 1_000_000 }
        trial.application.keepUp()
        #expect(FileManager.default.fileExists(atPath: "\(folder)/a.mov"))
    }

    @Test("a job of an upload that cannot be looked up may be sent again")
    func source() throws {
        let trial = try JobTrial()
        let id = String(repeating: "a", count: 32)
        let uploads = "\(trial.places.home)/uploads"
        try FileManager.default.createDirectory(
            atPath: uploads, withIntermediateDirectories: true)
        #expect(
            try trial.ask("POST", "/v1/jobs", #"{"source": "upload:\#(id)"}"#).status == 400)
        try Data().write(to: URL(filePath: "\(uploads)/\(id)"))
        let answer = try trial.ask("POST", "/v1/jobs", #"{"source": "upload:\#(id)"}"#)
        #expect(answer.status == 503, "\(answer.text)")
    }

    @Test("a log that cannot be read is not an empty one")
    func log() throws {
        let folder = try TemporaryDirectory()
        #expect(throws: Refusal.self) { try LogText.read(folder.path) }
        #expect(try LogText.read(folder.file("none")).isEmpty)
    }
}
