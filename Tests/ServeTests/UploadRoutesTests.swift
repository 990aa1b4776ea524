import Foundation
import TakeupDigest
import TakeupIntake
import TakeupJobs
import TakeupLanes
import TakeupModel
import TakeupService
import TestSupport
import Testing

@testable import TakeupServe

@Suite("Uploads over HTTP")
struct UploadRoutesTests {
    private static let tus = ("Tus-Resumable", "1.0.0")
    private static let part = ("Content-Type", "application/offset+octet-stream")
    private static let octets = [("Content-Type", "application/octet-stream")]
    private static let bytes = Array("0123456789".utf8)

    private func begin(
        _ trial: JobTrial, length: Int = 10, _ fields: [(String, String)] = []
    ) throws -> String {
        let begun = try trial.ask(
            "POST", "/v1/uploads", bytes: [],
            [
                Self.tus, ("Upload-Length", "\(length)"),
                ("Upload-Metadata", "filename Y2xpcC5tb3Y=,filetype dmlkZW8vbXA0"),
            ] + fields)
        #expect(begun.status == 201 && begun.fields["upload-offset"] == "0", "\(begun.text)")
        return try #require(begun.fields["location"])
    }

    private func patch(
        _ trial: JobTrial, _ place: String, _ bytes: [UInt8], at offset: Int,
        _ fields: [(String, String)] = []
    ) throws -> JobReply {
        try trial.ask(
            "PATCH", place, bytes: bytes,
            [Self.tus, Self.part, ("Upload-Offset", "\(offset)")] + fields)
    }

    @Test("one body is a source for a job")
    func single() throws {
        let trial = try JobTrial()
        let sent = try trial.ask(
            "POST", "/v1/uploads?name=..%2Fmy%20clip.MOV", bytes: Self.bytes, Self.octets)
        #expect(sent.status == 201, "\(sent.text)")
        let id = try #require(sent.word("id"))
        #expect(sent.word("source") == "upload:\(id)/my clip.mov")
        #expect(sent.number("bytes") == 10)
        #expect(sent.word("sha256") == SHA256Digest.of("0123456789"))
        let path = "\(trial.places.home)/uploads/\(id)/my clip.mov"
        #expect(FileManager.default.contents(atPath: path) == Data(Self.bytes))
        // A sentence names the file as people know it.
        let paths = trial.tools.desk.uploads.paths
        let known: JSONValue = [
            "source": .text(path), "error": ["message": .text("\(path) is bad")],
        ]
        let told: JSONValue = [
            "source": .text("upload:\(id)/my clip.mov"), "error": ["message": "my clip.mov is bad"],
        ]
        #expect(paths.shown(known) == told)
        for source in ["upload:\(id)", "upload:\(id)/my clip.mov"] {
            let job = try trial.ask("POST", "/v1/jobs", #"{"source": "\#(source)"}"#)
            #expect([200, 201].contains(job.status), "\(job.text)")
            #expect(job.word("source") == "upload:\(id)/my clip.mov")
        }
        for source in ["upload:\(id)/other.mov", "upload:x", "upload:\(id)/../x", "upload:"] {
            let refused = try trial.ask("POST", "/v1/jobs", #"{"source": "\#(source)"}"#)
            #expect(refused.status == 400, "\(source)")
        }
        // A job needs it.
        let kept = try trial.ask("DELETE", "/v1/uploads/\(id)")
        #expect(kept.status == 409 && kept.word("code") == "uploadInUse")
        let list = try trial.ask("GET", "/v1/uploads")
        #expect(list.word("uploads.0.id") == id)
    }

    @Test("an upload goes on after breaks and a restart, whole with its last byte")
    func resuming() throws {
        let trial = try JobTrial()
        let place = try begin(trial)
        #expect(
            try patch(trial, place, Array(Self.bytes[..<4]), at: 0).fields["upload-offset"] == "4")
        // The connection breaks in the middle of a part.
        let broken = try JobConnection(port: trial.port)
        broken.send(
            "PATCH", place, [Self.tus, Self.part, ("Upload-Offset", "4")], length: 6)
        broken.send(Array(Self.bytes[4..<6]))
        try await6(trial, place)
        broken.breakOff()
        try trial.restart()
        let head = try trial.ask("HEAD", place, nil, [Self.tus])
        #expect(head.status == 200 && head.fields["upload-offset"] == "6")
        #expect(head.fields["upload-length"] == "10" && head.fields["cache-control"] == "no-store")
        let wrong = try patch(trial, place, Array(Self.bytes[4...]), at: 4)
        #expect(wrong.status == 409 && wrong.fields["upload-offset"] == "6")
        #expect(try trial.ask("GET", place)["complete"] as? Bool == false)
        let done = try patch(trial, place, Array(Self.bytes[6...]), at: 6)
        #expect(done.status == 204 && done.fields["upload-offset"] == "10")
        let shown = try trial.ask("GET", place)
        #expect(shown["complete"] as? Bool == true)
        #expect(shown.word("sha256") == SHA256Digest.of("0123456789"))
        #expect(shown.word("source")?.hasSuffix("/clip.mov") == true)
        // A client that did not hear of the end asks again.
        #expect(try patch(trial, place, [], at: 10).status == 204)
        #expect(try patch(trial, place, [1], at: 10).status == 413)
        #expect(try trial.ask("DELETE", place, nil, [Self.tus]).status == 204)
        #expect(try trial.ask("HEAD", place).status == 404)
        #expect(try patch(trial, place, [], at: 0).status == 404)
    }

    @Test("no answer tells where the server keeps an upload")
    func places() async throws {
        let trial = try JobTrial()
        let clip = Array(try Data(contentsOf: URL(filePath: Clip.base(seconds: 1).path)))
        var names: [String] = []
        for (name, bytes) in [("good.mp4", clip), ("bad.mp4", Self.bytes)] {
            let sent = try trial.ask(
                "POST", "/v1/uploads?name=\(name)", bytes: bytes, Self.octets)
            names.append(try #require(sent.word("source")))
            let job = #"{"id": "\#(name)", "source": "\#(names.last ?? "")", "retries": 0}"#
            #expect(try trial.ask("POST", "/v1/jobs", job).status == 201)
        }
        var answers = try await trial.working {
            try ["good.mp4", "bad.mp4"].map { try trial.ask("GET", "/v1/jobs/\($0)/events") }
        }
        #expect(answers[1].text.contains("notMedia"), "\(answers[1].text)")
        let bad = #"{"source": "\#(names[1])"}"#
        for (method, path, body) in [
            ("GET", "/v1/jobs", nil), ("GET", "/v1/jobs/bad.mp4", nil), ("GET", "/v1/cache", nil),
            ("GET", "/v1/jobs?source=\(names[1])", nil), ("GET", "/v1/cache/good.mp4", nil),
            ("POST", "/v1/jobs/lookup", #"{"states": ["failed"]}"#), ("POST", "/v1/plan", bad),
            ("POST", "/v1/jobs/bad.mp4/retry", nil), ("POST", "/v1/presets/for", bad),
        ] as [(String, String, String?)] { answers.append(try trial.ask(method, path, body)) }
        for answer in answers {
            #expect(!answer.text.contains("/uploads/"), "\(answer.text)")
            let isNamed = (names + [" bad.mp4 ", "\"bad.mp4 "]).contains {
                answer.text.contains($0)
            }
            #expect(isNamed, "\(answer.text)")
        }
        #expect(answers[3].word("spec.sources.0") == names[1])
        #expect(answers[5].word("jobs.0.id") == "bad.mp4")
    }

    /// Waits until the server has the bytes that were sent.
    private func await6(_ trial: JobTrial, _ place: String) throws {
        let end = ContinuousClock.now + .seconds(60)
        while try trial.ask("GET", place).number("offset") != 6 {
            try #require(ContinuousClock.now < end)
        }
    }

    @Test("a body that is whole stays, though its request breaks before the answer")
    func wholeAndBroken() throws {
        let trial = try JobTrial()
        let place = try begin(trial)
        let connection = try JobConnection(port: trial.port)
        connection.send(
            "PATCH", place, [Self.tus, Self.part, ("Upload-Offset", "0")], length: 10)
        connection.send(Self.bytes)
        connection.breakOff()
        let end = ContinuousClock.now + .seconds(60)
        while try trial.ask("GET", place)["complete"] as? Bool != true {
            try #require(ContinuousClock.now < end)
        }
        // One without an id that anybody knows leaves nothing when it breaks.
        let lost = try JobConnection(port: trial.port)
        lost.send("POST", "/v1/uploads", Self.octets, length: 100)
        lost.send(Self.bytes)
        while try trial.ask("GET", "/v1/uploads").word("uploads.1.id") == nil {
            try #require(ContinuousClock.now < end)
        }
        lost.breakOff()
        while try trial.ask("GET", "/v1/uploads").word("uploads.1.id") != nil {
            try #require(ContinuousClock.now < end)
        }
    }

    @Test("a checksum decides whether bytes are kept")
    func checksums() throws {
        let trial = try JobTrial()
        let place = try begin(trial)
        // Of "0123456789", by sha1sum.
        let sha1 = "sha1 h6zsF82dzSCnFsws9nQXtxyKcBY="
        let wrong = try patch(
            trial, place, Self.bytes, at: 0,
            [("Upload-Checksum", "sha1 AAAAAAAAAAAAAAAAAAAAAAAAAAA=")])
        #expect(wrong.status == 460 && wrong.word("code") == "checksumWrong")
        #expect(try trial.ask("HEAD", place).fields["upload-offset"] == "0")
        for bad in ["sha1", "crc32 AAAA", "sha1 AA==", "sha1 ?", ""] {
            let refused = try patch(trial, place, Self.bytes, at: 0, [("Upload-Checksum", bad)])
            #expect(refused.status == 400, "\(bad)")
        }
        #expect(wrong.word("title") == "Checksum Mismatch")
        let right = try patch(trial, place, Self.bytes, at: 0, [("Upload-Checksum", sha1)])
        #expect(right.status == 204, "\(right.text)")
        #expect(try trial.ask("GET", place).word("sha256") == SHA256Digest.of("0123456789"))
    }

    @Test("what an upload may not be is refused before its bytes")
    func refusals() throws {
        let trial = try JobTrial(uploadBytes: 100)
        let large = try trial.ask(
            "POST", "/v1/uploads", bytes: [UInt8](repeating: 1, count: 101), Self.octets)
        #expect(large.status == 413 && large.word("code") == "uploadTooLarge")
        let begun = try trial.ask(
            "POST", "/v1/uploads", bytes: [], [Self.tus, ("Upload-Length", "101")])
        #expect(begun.status == 413)
        // Also where no disk has the room.
        let vast = try trial.ask(
            "POST", "/v1/uploads", bytes: [], [Self.tus, ("Upload-Length", "\(Int64.max)")])
        #expect(vast.status == 413 && vast.word("code") == "uploadTooLarge", "\(vast.text)")
        for fields in [
            [Self.tus], [Self.tus, ("Upload-Length", "-1")], [Self.tus, ("Upload-Length", "x")],
            [Self.tus, ("Upload-Defer-Length", "1")],
            [Self.tus, ("Upload-Length", "1"), ("Upload-Metadata", "filename ?")],
        ] {
            #expect(try trial.ask("POST", "/v1/uploads", bytes: [], fields).status == 400)
        }
        let old = try trial.ask(
            "POST", "/v1/uploads", bytes: [], [("Tus-Resumable", "0.2"), ("Upload-Length", "1")])
        #expect(old.status == 412 && old.fields["tus-version"] == "1.0.0")
        let form = try trial.ask(
            "POST", "/v1/uploads", bytes: Self.bytes,
            [("Content-Type", "multipart/form-data; boundary=x")])
        #expect(form.status == 415)
        #expect(try trial.ask("POST", "/v1/uploads", bytes: [], Self.octets).status == 400)
        let place = try begin(trial)
        #expect(try trial.ask("PATCH", place, bytes: Self.bytes, [Self.tus]).status == 415)
        #expect(
            try trial.ask("PATCH", place, bytes: Self.bytes, [Self.tus, Self.part]).status == 400)
        let long = try patch(trial, place, [UInt8](repeating: 1, count: 11), at: 0)
        #expect(long.status == 413 && long.word("code") == "uploadTooLong")
        #expect(try trial.ask("POST", place, bytes: []).status == 405)
        let other = [
            Self.tus, Self.part, ("Upload-Offset", "0"), ("X-HTTP-Method-Override", "PATCH"),
        ]
        let offset = try trial.ask("HEAD", place).fields["upload-offset"] ?? ""
        let overridden = try trial.ask(
            "POST", place, bytes: Array(Self.bytes.dropFirst(Int(offset) ?? 0)),
            other.map { $0.0 == "Upload-Offset" ? ($0.0, offset) : $0 })
        #expect(overridden.status == 204)
        let options = try trial.ask("OPTIONS", "/v1/uploads")
        #expect(options.status == 204 && options.fields["tus-max-size"] == "100")
        #expect(options.fields["tus-extension"]?.contains("checksum") == true)
    }

    @Test(
        "what nobody needs any more goes: halves after a day, wholes after two unless a job waits")
    func expiry() throws {
        let trial = try JobTrial()
        let half = try begin(trial)
        _ = try patch(trial, half, [1], at: 0)
        let used = try #require(
            try trial.ask("POST", "/v1/uploads", bytes: Self.bytes, Self.octets).word("id"))
        let unused = try #require(
            try trial.ask("POST", "/v1/uploads", bytes: Self.bytes, Self.octets).word("id"))
        _ = try trial.ask("POST", "/v1/jobs", #"{"source": "upload:\#(used)"}"#)
        func there() throws -> [Int] {
            trial.application.keepUp()
            return try ["\(half)", "/v1/uploads/\(used)", "/v1/uploads/\(unused)"].map {
                try trial.ask("HEAD", $0).status
            }
        }
        trial.clockOffset.withLock { $0 = 86_000 }
        #expect(try there() == [200, 200, 200])
        trial.clockOffset.withLock { $0 = 87_000 }
        #expect(try there() == [404, 200, 200])
        trial.clockOffset.withLock { $0 = 174_000 }
        #expect(try there() == [404, 200, 404])
    }

    @Test(
        "a client's name becomes a file's",
        arguments: [
            ("clip.mov", "clip.mov"), ("../../etc/passwd", "passwd"), ("C:\\x\\a.MP4", "a.mp4"),
            (".hidden", "hidden"), ("", "upload"), ("...", "upload"), ("a\u{0}b.mov", "ab.mov"),
            ("a.tar.gz", "a.tar.gz"), ("a.m o v", "a.m o v"), ("-rf.mov", "rf.mov"),
            ("a\u{202E}vom.exe", "avom.exe"), ("日本.mov", "日本.mov"),
        ])
    func names(_ given: String, _ name: String) {
        #expect(UploadName.safe(given) == name)
    }

    @Test("a long name is cut between characters")
    func longNames() {
        let name = UploadName.safe(String(repeating: "é", count: 300) + ".mov")
        #expect(name.utf8.count <= 130 && name.hasSuffix("é.mov"))
        #expect(DispositionName.of("attachment; filename=\"a;b.mov\"") == "a;b.mov")
        #expect(
            DispositionName.of("attachment; filename=x; filename*=UTF-8''%e2%82%ac.mov") == "€.mov")
        #expect(DispositionName.of("inline") == nil && DispositionName.of(nil) == nil)
    }
}
