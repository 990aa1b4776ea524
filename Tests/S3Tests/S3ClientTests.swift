import Foundation
import TakeupModel
import TestSupport
import Testing

@testable import TakeupS3

/// The client against a real server; other programs judge what it left.
@Suite("S3 client", .enabled(if: S3Server.missing == nil, "there is no rclone"))
struct S3ClientTests {
    @Test("a file of any size arrives as it is, and comes back", arguments: [0, 1, 40 << 20])
    func roundTrip(bytes: Int) throws {
        let trial = try S3Trial()
        let client = try trial.client()
        let (source, hash) = try trial.file(bytes)
        defer { close(source) }
        // A key with what paths and signatures trip over.
        let object = try S3Trial.object("films/a b+c=ä~(1).mp4")
        try S3Upload(
            client, to: object, descriptor: source, bytes: Int64(bytes), sha256: hash
        ).run()
        #expect(try trial.sha256(of: trial.server.file(object.key)) == hash)
        #expect(try client.facts(object)?.sha256 == hash)
        let (target, _) = try trial.file(0)
        defer { close(target) }
        #expect(try client.download(object, to: target, bytes: Int64(bytes)) == Int64(bytes))
        #expect(try trial.sha256(of: "/proc/\(getpid())/fd/\(target)") == hash)
        #expect(try client.unfinishedUploads(S3Trial.object("")).uploads.isEmpty)
    }

    @Test("a part of an object that comes with status 200 is put at its place")
    func rangeWithStatus200() throws {
        let trial = try S3Trial()
        let bytes = 3 << 20
        let (source, hash) = try trial.file(bytes)
        defer { close(source) }
        let object = try S3Trial.object("a.mp4")
        try S3Upload(
            try trial.client(), to: object, descriptor: source, bytes: Int64(bytes), sha256: hash
        ).run()
        // The first answer breaks off; the rest is asked for by range.
        let proxy = try FaultProxy(to: trial.server.port) { request in
            request.number == 0 ? .cutAnswer(after: 1_000_000) : nil
        }
        let (target, _) = try trial.file(0)
        defer { close(target) }
        let client = try trial.client(port: proxy.port)
        #expect(try client.download(object, to: target, bytes: nil) == Int64(bytes))
        #expect(try trial.sha256(of: "/proc/\(getpid())/fd/\(target)") == hash)
        #expect(proxy.requests.map { $0.fields["range"] } == [nil, "bytes=1000000-"])
    }

    @Test("small objects are written, listed, copied and deleted")
    func smallObjects() throws {
        let trial = try S3Trial()
        let client = try trial.client()
        for name in ["a/1", "a/2", "b/3"] {
            try client.write(try S3Trial.object(name), Array(name.utf8))
        }
        try client.copy(try S3Trial.object("b/3"), to: try S3Trial.object("a/4"))
        var keys: [String] = []
        try client.forEach(try S3Trial.object("a/")) { entry, _ in keys.append(entry.key) }
        #expect(keys == ["a/1", "a/2", "a/4"])
        let page = try client.list("films", prefix: "a/", most: 2)
        #expect(page.entries.count == 2)
        #expect(page.next != nil)
        #expect(try client.read(try S3Trial.object("a/4"), most: 9) == Array("b/3".utf8))
        try client.delete(try S3Trial.object("a/1"))
        try client.delete(try S3Trial.object("a/1"))
        #expect(try client.facts(try S3Trial.object("a/1")) == nil)
        #expect(trial.server.keys() == ["a/2", "a/4", "b/3"])
    }

    @Test("an address that was signed opens in curl, and no longer when it is changed")
    func presigned() throws {
        let trial = try S3Trial()
        let client = try trial.client()
        let object = try S3Trial.object("films/a b+ä.txt")
        try client.write(object, Array("hello".utf8))
        let now = Int64(Date().timeIntervalSince1970)
        func curl(_ address: String) throws -> String {
            try Subprocess.run("curl", ["-sS", "-w", "%{http_code}", address]).outputText
        }
        #expect(try curl(client.presign(object, now: now, seconds: 60)) == "hello200")
        let other = try client.presign(object, now: now, seconds: 60)
            .replacing("X-Amz-Expires=60", with: "X-Amz-Expires=61")
        #expect(try curl(other).hasSuffix("403"))
    }

    @Test("the health check finds the server, its clock and no trace of itself")
    func health() throws {
        let trial = try S3Trial()
        let now = Date().timeIntervalSince1970
        let health = try S3Health.check(
            try trial.client(), try S3Trial.object("prefix"), now: { now - 100 })
        #expect(health.roundTripSeconds > 0 && health.roundTripSeconds < 10)
        #expect(health.skewSeconds.map { (95...160).contains($0) } == true)
        #expect(trial.server.keys().isEmpty)
    }

    @Test("a bucket that is not there, wrong keys and no server are told apart")
    func refusals() throws {
        let trial = try S3Trial()
        func fault(
            _ client: S3Client, _ object: S3Address
        ) -> Failure? {
            do throws(S3Error) {
                _ = try client.facts(object)
                return nil
            } catch {
                return Failure(error)
            }
        }
        let object = try S3Trial.object("a.mp4")
        let missing = fault(try trial.client(), try S3Trial.object("a.mp4", in: "nobody"))
        #expect(missing?.code == "bucketMissing" || missing == nil)
        let wrong = fault(try trial.client(["AWS_SECRET_ACCESS_KEY": "other-secret"]), object)
        #expect(wrong?.code == "credentialsRefused")
        #expect(wrong?.exitCode == .notPermitted)
        #expect(wrong?.message.contains("other-secret") == false)
        #expect(wrong?.message.contains(S3Server.accessKey) == false)
        let gone = fault(try trial.client(port: 9), object)
        #expect(gone?.code == "objectsUnreachable")
        #expect(gone?.exitCode == .unavailable)
    }
}
