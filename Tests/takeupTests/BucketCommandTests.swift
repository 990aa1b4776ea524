import Foundation
import TestSupport
import Testing

/// The commands with their results in a bucket; curl and ffprobe judge.
@Suite("Commands on a bucket", .enabled(if: S3Server.missing == nil, "there is no rclone"))
struct BucketCommandTests {
    /// A machine with a server of its own.
    struct Bench: ~Copyable {
        let folder: TemporaryDirectory
        let server: S3Server

        init() throws {
            let folder = try TemporaryDirectory()
            server = try S3Server(folder: folder.file("buckets"))
            self.folder = folder
        }

        func takeup(
            _ words: [String], machine: String = "one", _ changes: [String: String] = [:]
        ) throws -> Subprocess.Outcome {
            var environment = server.environment
            environment["TAKEUP_HOME"] = folder.file("home")
            environment["TAKEUP_CACHE"] = folder.file("cache-\(machine)")
            environment["TAKEUP_OBJECTS"] = "s3://films/takeup"
            environment["HOME"] = folder.path
            environment.merge(changes) { $1 }
            return try Subprocess.run(
                BuiltProduct.path(of: "takeup"), words, environment: environment,
                directory: folder.path, timeoutSeconds: 60)
        }
    }

    @Test("a batch keeps its results in the bucket; other machines read them")
    func batch() throws {
        let bench = try Bench()
        let clip = try Clip.base(seconds: 1).path
        func list(_ id: String) throws -> String {
            let path = bench.folder.file("\(id).jsonl")
            let line = #"{"id": "\#(id)", "source": "\#(clip)", "preset": "640x480"}"#
            try Data(line.utf8).write(to: URL(filePath: path))
            return path
        }
        let made = try bench.takeup(["batch", try list("story"), "--json"])
        #expect(made.exitCode == 0, "\(made.errorText)")
        #expect(made.outputText.contains("films/takeup/objects/"), "\(made.outputText)")
        let objects = bench.server.keys("takeup/objects/")
        #expect(objects.count == 1)
        #expect(bench.server.keys("takeup/").contains("takeup/owner"))
        let got = try bench.takeup(["cache", "get", "story"], machine: "two")
        #expect(got.exitCode == 0, "\(got.errorText)")
        let path = got.outputText.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(path.hasPrefix(bench.folder.file("cache-two/copies/")))
        let sum = try Subprocess.run("sha256sum", [path]).outputText.prefix(64)
        #expect(objects.first?.contains(sum) == true)
        #expect(try Subprocess.run("ffprobe", ["-v", "error", path]).exitCode == 0)
        let url = try bench.takeup(["cache", "get", "story", "--url", "--expires", "5m"])
            .outputText.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(url.hasPrefix("http://127.0.0.1:"))
        let copy = bench.folder.file("copy.mp4")
        #expect(try Subprocess.run("curl", ["-sSf", "-o", copy, url]).exitCode == 0)
        #expect(try Subprocess.run("cmp", [copy, path]).exitCode == 0)
        // The same work again is answered from the bucket.
        let again = try bench.takeup(
            ["batch", try list("again"), "--json"], machine: "two")
        #expect(again.outputText.contains("\"cached\""), "\(again.outputText)")
        let verified = try bench.takeup(["cache", "verify"], machine: "two")
        #expect(verified.exitCode == 0, "\(verified.errorText)")
        #expect(try bench.takeup(["cache", "remove", "story"]).exitCode == 0)
        #expect(bench.server.keys("takeup/objects/").isEmpty)
        #expect(try bench.takeup(["cache", "get", "story"]).exitCode == 66)
    }

    @Test("doctor checks the bucket, and tells no key")
    func doctor() throws {
        let bench = try Bench()
        let good = try bench.takeup(["doctor"])
        #expect(good.outputText.contains("listed, written, read and deleted"), "\(good.outputText)")
        #expect(bench.server.keys().isEmpty)
        for (changes, code) in [
            (["AWS_SECRET_ACCESS_KEY": "wrong-secret"], "not accepted"),
            (["TAKEUP_OBJECTS": "s3://nobody/x"], "no such bucket"),
            (["AWS_ENDPOINT_URL": "http://127.0.0.1:9"], "no connection"),
            (["AWS_ACCESS_KEY_ID": ""], "no credentials"),
        ] {
            let bad = try bench.takeup(["doctor", "--json"], changes)
            #expect(bad.exitCode == 78, "\(code)")
            #expect(bad.outputText.contains(code), "\(bad.outputText)")
            for secret in [S3Server.secretKey, S3Server.accessKey, "wrong-secret"] {
                #expect(!bad.outputText.contains(secret))
            }
        }
        let worker = try bench.takeup(
            ["cache", "list"], ["AWS_ENDPOINT_URL": "http://127.0.0.1:9"])
        #expect(worker.exitCode == 69, "\(worker.errorText)")
        let denied = try bench.takeup(["cache", "list"], ["AWS_SECRET_ACCESS_KEY": "wrong"])
        #expect(denied.exitCode == 77, "\(denied.errorText)")
    }

    @Test("an object is a source of exports and jobs")
    func sources() throws {
        let bench = try Bench()
        let clip = try Clip.base(seconds: 1).path
        let object = bench.server.file("in/a b.mov")
        try FileManager.default.createDirectory(
            atPath: bench.server.file("in"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: clip, toPath: object)
        let source = "s3://films/in/a b.mov"
        let network = ["--allow-network", "127.0.0.0/8"]
        let export = try bench.takeup(
            ["export", source, "-o", "out.mp4", "--preset", "640x480"] + network)
        #expect(export.exitCode == 0, "\(export.errorText)")
        let probe = try Subprocess.run("ffprobe", ["-v", "error", bench.folder.file("out.mp4")])
        #expect(probe.exitCode == 0)
        let jobs = bench.folder.file("jobs.jsonl")
        try Data(#"{"id": "remote", "source": "s3://films/in/a b.mov", "preset": "640x480"}"#.utf8)
            .write(to: URL(filePath: jobs))
        let job = try bench.takeup(
            ["batch", jobs] + network)
        #expect(job.exitCode == 0, "\(job.errorText)")
        let refused = try bench.takeup(["export", source, "-o", "out2.mp4"])
        #expect(refused.exitCode == 77, "\(refused.errorText)")
        let missing = try bench.takeup(
            ["export", "s3://films/none.mov", "-o", "out3.mp4"] + network)
        #expect(missing.exitCode == 66, "\(missing.errorText)")
        let itself = try bench.takeup(["export", source, "-o", "s3://films/in/a b.mov"] + network)
        #expect(itself.exitCode == 64, "\(itself.errorText)")
        try FileManager.default.copyItem(atPath: clip, toPath: bench.server.file("in/a.mp4"))
        let same = "s3://films/in/a.mp4"
        let over = try bench.takeup(
            ["export", same, "-o", same, "--overwrite", "replace"] + network)
        #expect(over.exitCode == 73 && over.errorText.contains("the source itself"))
        #expect(try Subprocess.run("cmp", [clip, bench.server.file("in/a.mp4")]).exitCode == 0)
        for outcome in [export, job, refused, missing] {
            #expect(!outcome.errorText.contains("X-Amz-Signature"))
        }
    }
}
