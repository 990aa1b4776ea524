import Foundation
import TakeupDigest
import TakeupLanes
import TakeupService
import TestSupport
import Testing

@testable import TakeupServe

@Suite("Uploads after a crash, and as tus wants them")
struct UploadSettlingTests {
    private static let tus = ("Tus-Resumable", "1.0.0")
    private static let part = ("Content-Type", "application/offset+octet-stream")
    private static let bytes = Array("0123456789".utf8)
    private static let metadata = "filename Y2xpcC5tb3Y=,filetype dmlkZW8vbXA0,is_private"

    private func begin(
        _ trial: JobTrial, _ fields: [(String, String)] = [], bytes: [UInt8] = []
    ) throws -> JobReply {
        try trial.ask(
            "POST", "/v1/uploads", bytes: bytes,
            [Self.tus, ("Upload-Length", "10"), ("Upload-Metadata", Self.metadata)] + fields)
    }

    /// Writes all bytes, as a server that was killed before it named the file.
    private func fill(_ trial: JobTrial, _ place: String) throws {
        let id = try #require(place.split(separator: "/").last)
        let path = "\(trial.places.home)/uploads/\(id)/\(UploadStore.partialName)"
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.write(contentsOf: Data(Self.bytes))
        try file.close()
    }

    @Test("nobody takes over an upload from the request that begins it, and nothing of it is lost")
    func owned() throws {
        let trial = try JobTrial()
        let first = try JobConnection(port: trial.port)
        first.send(
            "POST", "/v1/uploads?name=a.mov", [("Content-Type", "application/octet-stream")],
            length: 10)
        first.send(Array(Self.bytes[..<6]))
        let end = ContinuousClock.now + .seconds(60)
        while try trial.ask("GET", "/v1/uploads").number("uploads.0.offset") != 6 {
            try #require(ContinuousClock.now < end)
        }
        let id = try trial.ask("GET", "/v1/uploads").word("uploads.0.id")
        let place = "/v1/uploads/\(try #require(id))"
        func patch(_ bytes: [UInt8], at offset: Int) throws -> JobReply {
            try trial.ask(
                "PATCH", place, bytes: bytes,
                [Self.tus, Self.part, ("Upload-Offset", "\(offset)")])
        }
        for bytes in [[], Array("wxyz".utf8)] {
            let other = try patch(bytes, at: 6)
            #expect(other.status == 423 && other.word("code") == "uploadLocked", "\(other.text)")
        }
        first.send(Array(Self.bytes[6...]))
        let reply = try first.reply()
        #expect(reply.status == 201 && reply.word("sha256") == SHA256Digest.of("0123456789"))
        #expect(try patch([], at: 10).status == 204)
        #expect(try trial.ask("GET", place)["complete"] as? Bool == true)
    }

    @Test("one that has all its bytes is completed when a client asks")
    func head() throws {
        let trial = try JobTrial()
        let place = try #require(try begin(trial).fields["location"])
        try fill(trial, place)
        try trial.restart()
        let head = try trial.ask("HEAD", place, nil, [Self.tus])
        #expect(head.status == 200 && head.fields["upload-offset"] == "10")
        let shown = try trial.ask("GET", place)
        #expect(shown["complete"] as? Bool == true)
        #expect(shown.word("sha256") == SHA256Digest.of("0123456789"))
        let source = try #require(shown.word("source"))
        #expect(try trial.ask("POST", "/v1/jobs", #"{"source": "\#(source)"}"#).status == 201)
    }

    @Test("bytes whose checksum was not compared before a crash do not count")
    func held() throws {
        let trial = try JobTrial()
        let place = try #require(try begin(trial).fields["location"])
        try fill(trial, place)
        let id = try #require(place.split(separator: "/").last)
        let path = "\(trial.places.home)/uploads/\(id)/\(UploadStore.factsName)"
        var upload = try JSONDecoder().decode(
            Upload.self, from: Data(contentsOf: URL(filePath: path)))
        upload.heldFrom = 4
        try JSONEncoder().encode(upload).write(to: URL(filePath: path))
        try trial.restart()
        #expect(try trial.ask("HEAD", place, nil, [Self.tus]).fields["upload-offset"] == "4")
        let sum = ("Upload-Checksum", "sha1 AAAAAAAAAAAAAAAAAAAAAAAAAAA=")
        let wrong = try trial.ask(
            "PATCH", place, bytes: Array("xxxxxx".utf8),
            [Self.tus, Self.part, sum, ("Upload-Offset", "4")])
        #expect(wrong.status == 460)
        #expect(try trial.ask("HEAD", place, nil, [Self.tus]).fields["upload-offset"] == "4")
        let rest = try trial.ask(
            "PATCH", place, bytes: Array("456789".utf8),
            [Self.tus, Self.part, ("Upload-Offset", "4")])
        #expect(rest.status == 204, "\(rest.text)")
        let shown = try trial.ask("GET", place)
        #expect(shown.word("sha256") == SHA256Digest.of("0123456789"))
    }

    @Test("one that has all its bytes is completed without a client")
    func upkeep() throws {
        let trial = try JobTrial()
        let place = try #require(try begin(trial).fields["location"])
        try fill(trial, place)
        trial.application.keepUp()
        let list = try trial.ask("GET", "/v1/uploads")
        #expect(list.word("uploads.0.sha256") == SHA256Digest.of("0123456789"))
    }

    @Test("HEAD returns the metadata that the client sent")
    func metadata() throws {
        let trial = try JobTrial()
        let place = try #require(try begin(trial).fields["location"])
        try trial.restart()
        let head = try trial.ask("HEAD", place, nil, [Self.tus])
        #expect(head.fields["upload-metadata"] == Self.metadata)
        let plain = try trial.ask(
            "POST", "/v1/uploads", bytes: [], [Self.tus, ("Upload-Length", "1")])
        let bare = try trial.ask("HEAD", try #require(plain.fields["location"]), nil, [Self.tus])
        #expect(bare.status == 200 && bare.fields["upload-metadata"] == nil)
    }

    @Test("every answer names the version of tus, a refusal too")
    func version() throws {
        let trial = try JobTrial(uploadBytes: 100)
        let place = try #require(try begin(trial).fields["location"])
        let wrong = [Self.tus, Self.part, ("Upload-Offset", "4")]
        let long = [Self.tus, Self.part, ("Upload-Offset", "0")]
        let answers = [
            try trial.ask("HEAD", "/v1/uploads/none", nil, [Self.tus]),
            try trial.ask("PATCH", place, bytes: [1], wrong),
            try trial.ask("PATCH", place, bytes: [UInt8](repeating: 1, count: 11), long),
            try trial.ask("PATCH", place, bytes: [1], [Self.tus]),
            try trial.ask("POST", "/v1/uploads", bytes: [], [Self.tus, ("Upload-Length", "101")]),
            try trial.ask("POST", "/v1/uploads", bytes: [], [("Tus-Resumable", "0.2")]),
            try trial.ask("PUT", place, bytes: [], [Self.tus]),
            try trial.ask("DELETE", place, nil, [Self.tus, ("Origin", "http://evil.example")]),
            try trial.ask("HEAD", place, nil, [Self.tus]),
            try trial.ask("OPTIONS", place),
        ]
        for answer in answers {
            #expect(answer.fields["tus-resumable"] == "1.0.0", "\(answer.status) \(answer.text)")
        }
        let statuses = answers.map(\.status)
        #expect(statuses == [404, 409, 413, 415, 413, 412, 405, 403, 200, 204])
        #expect(try trial.ask("GET", "/v1/none").fields["tus-resumable"] == nil)
    }

    @Test("a refused creation leaves no upload behind")
    func refusedCreation() throws {
        let trial = try JobTrial()
        let sum = ("Upload-Checksum", "sha1 AAAAAAAAAAAAAAAAAAAAAAAAAAA=")
        let wrong = try begin(trial, [Self.part, sum], bytes: Self.bytes)
        #expect(wrong.status == 460, "\(wrong.text)")
        let long = try begin(trial, [Self.part], bytes: Self.bytes + [1])
        #expect(long.status == 413, "\(long.text)")
        #expect(try trial.ask("GET", "/v1/uploads").word("uploads.0.id") == nil)
        let uploads = "\(trial.places.home)/uploads"
        #expect(try FileManager.default.contentsOfDirectory(atPath: uploads).isEmpty)
        // One that brings a part of its bytes stays.
        let half = try begin(trial, [Self.part], bytes: Array(Self.bytes[..<4]))
        #expect(half.status == 201 && half.fields["upload-offset"] == "4")
        #expect(try trial.ask("GET", "/v1/uploads").word("uploads.0.id") != nil)
    }

    @Test("one that a queued job needs stays, also where the home has another name")
    func needed() throws {
        let trial = try JobTrial(homeIsLink: true)
        let place = try #require(try begin(trial).fields["location"])
        try fill(trial, place)
        let source = try #require(try trial.ask("GET", place).word("source"))
        #expect(try trial.ask("POST", "/v1/jobs", #"{"source": "\#(source)"}"#).status == 201)
        #expect(try trial.ask("DELETE", place).status == 409)
        trial.clockOffset.withLock { $0 += 10 * UploadStore.finishedSeconds }
        trial.application.keepUp()
        #expect(try trial.ask("GET", place).status == 200)
    }

    @Test("a job and the end of its upload: one of them is refused, never both done")
    func claimed() throws {
        let trial = try JobTrial()
        for _ in 0..<20 {
            let place = try #require(try begin(trial).fields["location"])
            try fill(trial, place)
            let source = try #require(try trial.ask("GET", place).word("source"))
            let statuses = Locked<[Int]>([])
            let port = trial.port
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                let body = index == 0 ? Array(#"{"source": "\#(source)"}"#.utf8) : []
                let connection = try? JobConnection(port: port)
                if index == 0 {
                    let fields = [("Content-Type", "application/json")]
                    connection?.send("POST", "/v1/jobs", fields, length: body.count)
                    connection?.send(body)
                } else {
                    connection?.send("DELETE", place, [], length: nil)
                }
                let reply = try? connection?.reply(hasBody: true)
                statuses.withLock { $0.append(reply?.status ?? 0) }
            }
            let found = statuses.withLock { $0.sorted() }
            #expect(found == [201, 409] || found == [204, 400], "\(found)")
        }
    }
}
