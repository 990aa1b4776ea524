import Foundation
import TakeupDigest
import TakeupFiles
import TakeupService
import TestSupport
import Testing

@testable import TakeupServe

@Suite("Uploads whose folder is away, or that two servers know")
struct UploadPlaceTests {
    private static let octets = [("Content-Type", "application/octet-stream")]

    @Test("nothing is told as missing and nothing is made while the folder is away")
    func away() throws {
        let trial = try JobTrial()
        let made = try trial.ask(
            "POST", "/v1/uploads?name=a.mov", bytes: Array("0123456789".utf8), Self.octets)
        let place = try #require(made.fields["location"])
        let source = try #require(made.word("source"))
        let uploads = "\(trial.places.home)/uploads"
        try FileManager.default.moveItem(atPath: uploads, toPath: "\(uploads)-moved")
        func expectAway() throws {
            let patch = [
                ("Content-Type", "application/offset+octet-stream"), ("Upload-Offset", "0"),
            ]
            for reply in [
                try trial.ask("GET", place), try trial.ask("GET", "/v1/uploads"),
                try trial.ask("DELETE", place), try trial.ask("PATCH", place, bytes: [1], patch),
                try trial.ask("POST", "/v1/uploads?name=b", bytes: [1], Self.octets),
            ] {
                #expect(reply.status == 503 && reply.word("code") == "homeGone", "\(reply.text)")
            }
            let check = Readiness(trial.tools).checks.first { $0.name == "uploads" }
            #expect(check?.reason != nil)
        }
        try expectAway()
        let job = #"{"source": "\#(source)", "id": "a"}"#
        #expect(try trial.ask("POST", "/v1/jobs", job).status == 503)
        #expect(Folder.isAbsent(uploads))
        // Another folder at its place is not it.
        try FileManager.default.createDirectory(
            atPath: uploads, withIntermediateDirectories: false)
        try expectAway()
        #expect(try Folder.names(in: uploads) == [])
        #expect(rmdir(uploads) == 0)
        try FileManager.default.moveItem(atPath: "\(uploads)-moved", toPath: uploads)
        #expect(try trial.ask("GET", place)["complete"] as? Bool == true)
        #expect(try trial.ask("POST", "/v1/jobs", job).status == 201)
    }

    @Test("a stored answer is not forgotten while its folder is away")
    func keys() throws {
        let trial = try JobTrial()
        let body = #"{"id": "a", "source": "\#(try trial.file("a.mov"))"}"#
        let key = [("Idempotency-Key", "k")]
        #expect(try trial.ask("POST", "/v1/jobs", body, key).status == 201)
        let folder = "\(trial.places.home)/idempotency"
        try FileManager.default.moveItem(atPath: folder, toPath: "\(folder)-moved")
        #expect(try trial.ask("POST", "/v1/jobs", body, key).status == 503)
        #expect(Folder.isAbsent(folder))
        try FileManager.default.moveItem(atPath: "\(folder)-moved", toPath: folder)
        #expect(try trial.ask("POST", "/v1/jobs", body, key).status == 201)
    }

    @Test("one server at a time writes to an upload of a home that two have open")
    func twoServers() throws {
        let folder = try TemporaryDirectory()
        let (old, new) = (Self.store(folder), Self.store(folder))
        let id = try old.create("a.mov", length: 10).upload.id
        func write(_ text: String, _ store: UploadStore, _ turn: Int) throws {
            try Array(text.utf8).withUnsafeBytes {
                try store.session(of: id).write($0, turn: turn)
            }
        }
        let first = try old.session(of: id).begin(id, at: 0, isHeld: false)
        try write("01234", old, first)
        #expect {
            _ = try new.session(of: id).begin(id, at: 5, isHeld: false)
        } throws: { error in
            (error as? Refusal)?.status == 423
        }
        #expect(try old.session(of: id).end(turn: first).offset == 5)
        let second = try new.session(of: id).begin(id, at: 5, isHeld: true)
        try write("xxxxx", new, second)
        #expect {
            _ = try old.session(of: id).begin(id, at: 5, isHeld: false)
        } throws: { error in
            (error as? Refusal)?.status == 423
        }
        #expect(try old.settled(id)?.upload.isComplete == false)
        new.session(of: id).takeBack(to: 5, turn: second)
        _ = try new.session(of: id).end(turn: second)
        let third = try old.session(of: id).begin(id, at: 5, isHeld: false)
        try write("56789", old, third)
        let stored = try old.session(of: id).end(turn: third)
        #expect(stored.upload.sha256 == SHA256Digest.of("0123456789"))
        let late = try new.session(of: id).begin(id, at: 10, isHeld: false)
        #expect(throws: Refusal.self) { try write("!", new, late) }
        #expect(
            try Folder.bytes(of: "\(old.path(of: id))/a.mov", most: 100)
                == Array("0123456789".utf8))
    }

    private static func store(_ folder: borrowing TemporaryDirectory) -> UploadStore {
        UploadStore(folder: folder.file("uploads"), mostBytes: 100, minFreeBytes: 0) { 1_000_000 }
    }
}
