import Foundation
import TakeupLanes
import TestSupport
import Testing

/// Jobs whose outputs are in a bucket, with their results on this machine.
@Suite("Jobs into a bucket", .enabled(if: S3Server.missing == nil, "there is no rclone"))
struct BucketJobTests {
    typealias Bench = BucketCommandTests.Bench

    private func takeup(
        _ bench: borrowing Bench, _ words: [String], _ changes: [String: String] = [:]
    ) throws -> Subprocess.Outcome {
        var all = ["TAKEUP_OBJECTS": bench.folder.file("cache-one")]
        all.merge(changes) { $1 }
        return try bench.takeup(words, all)
    }

    @Test("outputs appear below the prefix; what is there already is not sent again")
    func batch() throws {
        let bench = try Bench()
        let clip = try Clip.base(seconds: 1).path
        let puts = Locked(0)
        let proxy = try FaultProxy(to: bench.server.port) { request in
            if request.method == "PUT" { puts.withLock { $0 += 1 } }
            return nil
        }
        func batch(_ words: [String] = []) throws -> Subprocess.Outcome {
            try takeup(
                bench,
                ["batch", clip, "-o", "s3://films/out/", "--preset", "640x480", "--json"] + words,
                ["AWS_ENDPOINT_URL": "http://127.0.0.1:\(proxy.port)"])
        }
        let first = try batch()
        #expect(first.exitCode == 0, "\(first.errorText)")
        #expect(first.outputText.contains(#""output":"s3://films/out/base.mp4""#))
        #expect(bench.server.keys() == ["out/base.mp4"])
        let file = bench.server.file("out/base.mp4")
        #expect(try Subprocess.run("ffprobe", ["-v", "error", file]).exitCode == 0)
        #expect(try batch().outputText.contains(#""cached":1"#))
        #expect(puts.withLock { $0 } == 1)
        #expect(try batch(["--dry-run"]).outputText.contains(#""would":"cached""#))
        // One that is gone is sent again from the cache.
        let content = try Data(contentsOf: URL(filePath: file))
        try FileManager.default.removeItem(atPath: file)
        #expect(try batch().outputText.contains(#""cached":1"#))
        #expect(try Data(contentsOf: URL(filePath: file)) == content)
        // Another one that has the key stays.
        try Data("another".utf8).write(to: URL(filePath: file))
        let taken = try batch()
        #expect(taken.exitCode == 3 && taken.outputText.contains("outputExists"))
        #expect(try batch(["--dry-run"]).outputText.contains("outputExists"))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "another")
        #expect(puts.withLock { $0 } == 2)
    }

    @Test("a kill after the upload sends nothing twice")
    func killed() throws {
        let bench = try Bench()
        let clip = try Clip.base(seconds: 1).path
        let puts = Locked(0)
        let proxy = try FaultProxy(to: bench.server.port) { request in
            if request.method == "PUT" { puts.withLock { $0 += 1 } }
            return nil
        }
        func batch(_ changes: [String: String]) throws -> Subprocess.Outcome {
            var all = ["AWS_ENDPOINT_URL": "http://127.0.0.1:\(proxy.port)"]
            all.merge(changes) { $1 }
            return try takeup(
                bench,
                [
                    "batch", clip, "-o", "s3://films/out", "--preset", "640x480", "--json",
                    "--overwrite", "unique",
                ], all)
        }
        #expect(try batch(["TAKEUP_FAILPOINT": "afterOutput:kill"]).signal == SIGKILL)
        #expect(bench.server.keys() == ["out/base.mp4"])
        let again = try batch([:])
        #expect(again.exitCode == 0, "\(again.errorText)")
        #expect(again.outputText.contains(#""output":"s3://films/out/base.mp4""#))
        #expect(bench.server.keys() == ["out/base.mp4"])
        #expect(puts.withLock { $0 } == 1)
    }

    @Test("a job whose bucket is away waits, and uses up no try")
    func outage() throws {
        let bench = try Bench()
        let clip = try Clip.base(seconds: 1).path
        let isAway = Locked(true)
        let proxy = try FaultProxy(to: bench.server.port) { _ in
            isAway.withLock { $0 } ? .answer(503) : nil
        }
        let address = ["AWS_ENDPOINT_URL": "http://127.0.0.1:\(proxy.port)"]
        let submitted = try takeup(
            bench,
            [
                "submit", clip, "-o", "s3://films/late.mp4", "--id", "late", "--preset", "640x480",
                "--retries", "0",
            ])
        #expect(submitted.exitCode == 0, "\(submitted.errorText)")
        var environment = bench.server.environment
        environment.merge(address) { $1 }
        for (name, place) in [("HOME", "home"), ("CACHE", "cache-one"), ("OBJECTS", "cache-one")] {
            environment["TAKEUP_\(name)"] = bench.folder.file(place)
        }
        var worker = try Subprocess(
            BuiltProduct.path(of: "takeup"), ["worker"], environment: environment,
            directory: bench.folder.path)
        let saysSo = worker.waitForOutput(containing: "what is done waits", timeoutSeconds: 60)
        #expect(saysSo)
        func job() throws -> String {
            try takeup(bench, ["jobs", "show", "late", "--json"]).outputText
        }
        let end = ContinuousClock.now + .seconds(60)
        var record = try job()
        while !record.contains("waits for the object store") {
            try #require(ContinuousClock.now < end, "\(record)")
            usleep(100_000)
            record = try job()
        }
        #expect(bench.server.keys().isEmpty)
        isAway.withLock { $0 = false }
        while !record.contains(#""state":"succeeded""#) {
            try #require(ContinuousClock.now < end, "\(record)")
            usleep(100_000)
            record = try job()
        }
        worker.signal(SIGTERM)
        let outcome = worker.wait(timeoutSeconds: 60)
        #expect(outcome.exitCode == 143, "\(outcome.errorText)")
        #expect(bench.server.keys() == ["late.mp4"])
    }
}
