import Foundation
import TakeupCache
import TakeupDigest
import TakeupHTTP
import TakeupJobs
import TakeupLanes
import TakeupModel
import TestSupport
import Testing

@testable import TakeupServe

@Suite("Results by id")
struct MediaResultTests {
    private let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    private func hits(_ trial: MediaTrial, _ name: String) throws -> Int64? {
        try trial.tools.cache.manifest.entry(named: name)?.hits
    }

    @Test("a result is served with its digest, whole and in parts")
    func whole() throws {
        let trial = try MediaTrial()
        let entry = try trial.result(bytes, as: "film")
        let url = "\(trial.base)/media/film.mp4"
        let reply = try trial.curl(url)
        #expect(reply.status == 200 && reply.body == bytes)
        #expect(reply.fields["etag"] == "\"\(entry.sha256)\"")
        #expect(reply.fields["content-type"] == "video/mp4")
        #expect(reply.fields["last-modified"] == "Tue, 14 Nov 2023 22:13:20 GMT")
        #expect(
            reply.fields["content-disposition"]
                == "inline; filename=\"film.mp4\"; filename*=UTF-8''film.mp4")
        #expect(reply.fields["cache-control"] == "private, no-cache")
        let file = trial.folder.file("whole")
        try Data(reply.body).write(to: URL(filePath: file))
        let digest = try Subprocess.run(
            "sh", ["-c", "openssl dgst -sha256 -binary '\(file)' | base64"]
        ).outputText.trimmingCharacters(in: .newlines)
        #expect(reply.fields["repr-digest"] == "sha-256=:\(digest):")
        for (range, part) in [
            ("0-0", 0..<1), ("500-999", 500..<1000), ("-1", 99_999..<100_000),
            ("99999-", 99_999..<100_000),
        ] {
            let reply = try trial.curl(url, "-r", range)
            #expect(reply.status == 206 && reply.body == Array(bytes[part]), "\(range)")
        }
        let several = try trial.curl(url, "-r", "0-9,5000-5009")
        #expect(several.status == 206 && several.body.firstRange(of: bytes[5000..<5010]) != nil)
        #expect(try trial.curl("\(trial.base)/media/film.m4v").body == bytes)
        #expect(trial.media.figures.value.originBytes == 0)
    }

    @Test("only a request that sends bytes is a use")
    func uses() throws {
        let trial = try MediaTrial()
        let entry = try trial.result(bytes, as: "film")
        let url = "\(trial.base)/media/film.mp4"
        let head = try trial.curl(url, "-I")
        #expect(head.status == 200 && head.fields["content-length"] == "100000")
        let tag = "\"\(entry.sha256)\""
        #expect(try trial.curl(url, "-H", "If-None-Match: \(tag)").status == 304)
        #expect(try trial.curl(url, "-H", "If-Match: \"other\"").status == 412)
        #expect(try trial.curl(url, "-r", "100000-").status == 416)
        #expect(try hits(trial, "film") == 0)
        _ = try trial.curl(url, "-r", "0-9")
        #expect(try hits(trial, "film") == 1)
    }

    @Test("the parts that one client reads are one use, which saves the bytes that were sent")
    func parts() throws {
        let trial = try MediaTrial()
        try trial.result(bytes, as: "film")
        let url = "\(trial.base)/media/film.mp4"
        for first in 0..<5 { _ = try trial.curl(url, "-r", "\(first * 10)-\(first * 10 + 9)") }
        _ = try trial.curl(url, "-I")
        #expect(try hits(trial, "film") == 1)
        _ = try trial.curl(url, "-A", "another player", "-r", "0-99")
        _ = try trial.curl("\(url)?preview=true", "-r", "0-99")
        #expect(try hits(trial, "film") == 2)
        trial.server.stop(graceSeconds: 5)
        let statistics = try trial.tools.cache.manifest.statistics()
        #expect(statistics.hits == 2 && statistics.bytesSaved == 150)
        #expect(trial.media.figures.value.cacheBytes == 250)
    }

    @Test("a use ends when its reader pauses")
    func sessions() {
        let sessions = ReadSessions()
        let reader = ReadSessions.Reader(peer: "::1", agent: "a", key: "k")
        #expect(sessions.use(reader, now: 0) && !sessions.use(reader, now: 60))
        #expect(!sessions.use(reader, now: 120) && sessions.use(reader, now: 181))
        var other = reader
        other.agent = "b"
        #expect(sessions.use(other, now: 181) && !sessions.use(reader, now: 182))
    }

    @Test("what is not there, has expired or is of another kind is not found")
    func missing() throws {
        let trial = try MediaTrial()
        try trial.result(bytes, as: "film")
        try trial.result([1, 2, 3], as: "sound", kind: .m4a)
        try trial.result([4, 5, 6], as: "old", expiresAt: 1_700_000_001)
        let names = [
            "film", "film.", "film.m4a", "film.mov", "sound.mp4", "sound.m4v", "old.mp4",
            "none.mp4", ".mp4", "..%2Ffilm.mp4",
        ]
        for name in names {
            let reply = try trial.curl("\(trial.base)/media/\(name)")
            #expect(reply.status == 404 && reply.code == "notFound", "\(name)")
        }
        let reply = try trial.curl("\(trial.base)/media/none.mp4")
        #expect(reply.text.contains("none.mp4"))
        let sound = try trial.curl("\(trial.base)/media/sound.m4a")
        #expect(sound.body == [1, 2, 3] && sound.fields["content-type"] == "audio/mp4")
    }

    @Test("a job without a result says in what state it is")
    func states() throws {
        let trial = try MediaTrial()
        let reply = try trial.curl("\(trial.base)/media/none.mp4")
        #expect(reply.text.contains("it was never here"))
        try trial.result(bytes, as: "film")
        #expect(try trial.curl("\(trial.base)/media/film.mov").text.contains("extension: mp4"))
        for (id, words) in [("waits", "which has not run yet"), ("gone", "which was cancelled")] {
            let spec = JobSpec(
                id: JobID(rawValue: id),
                ExportRequest(
                    Composition(joining: ["/a.mov"]), preset: try ExportPreset.named("low")))
            _ = try trial.tools.queue.place([spec])
            if id == "gone" { try trial.tools.queue.cancel(spec.id) }
            let reply = try trial.curl("\(trial.base)/media/\(id).mp4")
            #expect(reply.status == 404 && reply.text.contains(words), "\(reply.text)")
        }
    }

    @Test("a damaged result is told once in the log when it is put aside")
    func damaged() throws {
        let trial = try MediaTrial()
        let entry = try trial.result(bytes, as: "film")
        let path = trial.tools.cache.objects.path(of: entry.object)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.write(contentsOf: Data([9, 9, 9]))
        try file.close()
        for _ in 0..<2 {
            #expect(try trial.curl("\(trial.base)/media/film.mp4").status == 404)
        }
        let notes = trial.notes.withLock { $0 }
        #expect(notes.count { $0.contains("put aside") } == 1, "\(notes)")
    }

    @Test("a name in any script is told twice")
    func names() throws {
        let trial = try MediaTrial()
        try trial.result(bytes, as: "a \"b\"é")
        let reply = try trial.curl("\(trial.base)/media/a%20%22b%22%C3%A9.mp4")
        #expect(
            reply.fields["content-disposition"]
                == "inline; filename=\"a__b__.mp4\"; filename*=UTF-8''a%20%22b%22%C3%A9.mp4")
    }
}
