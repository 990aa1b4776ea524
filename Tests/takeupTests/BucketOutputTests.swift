import Foundation
import TakeupLanes
import TestSupport
import Testing

/// Outputs in a bucket; ffprobe and sha256sum judge what is in the server's folder.
@Suite("Outputs in a bucket", .enabled(if: S3Server.missing == nil, "there is no rclone"))
struct BucketOutputTests {
    typealias Bench = BucketCommandTests.Bench

    /// Variables that keep the results on this machine, and lead to the server by way of a proxy.
    private func way(_ bench: borrowing Bench, _ proxy: FaultProxy? = nil) -> [String: String] {
        var changes = ["TAKEUP_OBJECTS": bench.folder.file("cache-one")]
        if let proxy { changes["AWS_ENDPOINT_URL"] = "http://127.0.0.1:\(proxy.port)" }
        return changes
    }

    private func sum(_ path: String) throws -> String {
        String(try Subprocess.run("sha256sum", [path]).outputText.prefix(64))
    }

    /// Output of some forty megabytes, which goes in parts.
    private static func large() throws -> Clip {
        try Clip.make(
            "noise.mov",
            ["-f", "lavfi", "-i", "color=s=1280x720:r=25:d=1.4,noise=alls=100:allf=t"]
                + ["-c:v", "mpeg4", "-q:v", "1", "-pix_fmt", "yuv420p"])
    }

    @Test("an export is verified and uploaded; a key that is taken stays, goes, or is passed over")
    func exports() throws {
        let bench = try Bench()
        let clip = try Clip.base(seconds: 1).path
        let temporary = bench.folder.file("tmp")
        try FileManager.default.createDirectory(
            atPath: temporary, withIntermediateDirectories: true)
        func export(_ output: String, _ words: [String] = []) throws -> Subprocess.Outcome {
            try bench.takeup(
                ["export", clip, "-o", output, "--preset", "640x480", "--json"] + words,
                ["TMPDIR": temporary])
        }
        let first = try export("s3://films/sub/out.mp4")
        #expect(first.exitCode == 0, "\(first.errorText)")
        let file = bench.server.file("sub/out.mp4")
        let hash = try sum(file)
        #expect(first.outputText.contains(#""output":"s3://films/sub/out.mp4""#))
        #expect(first.outputText.contains(#""sha256":"\#(hash)""#))
        #expect(try Subprocess.run("ffprobe", ["-v", "error", file]).exitCode == 0)
        let taken = try export("s3://films/sub/out.mp4", ["--start", "0.5"])
        #expect(taken.exitCode == 73, "\(taken.errorText)")
        #expect(try sum(file) == hash)
        let unique = try export(
            "s3://films/sub/out.mp4", ["--start", "0.5", "--overwrite", "unique"])
        #expect(unique.outputText.contains(#""output":"s3://films/sub/out-1.mp4""#))
        let folder = try export("s3://films/sub/", ["--start", "0.5"])
        #expect(folder.outputText.contains(#""output":"s3://films/sub/base.mp4""#))
        let replaced = try export(
            "s3://films/sub/out.mp4", ["--start", "0.5", "--overwrite", "replace"])
        #expect(replaced.exitCode == 0, "\(replaced.errorText)")
        #expect(try sum(file) != hash)
        let plan = try export("s3://films/sub/out.mp4", ["--dry-run", "--overwrite", "unique"])
        #expect(plan.outputText.contains("s3://films/sub/out-2.mp4"), "\(plan.outputText)")
        #expect(try export("s3://films/sub/out.mp4", ["--dry-run"]).exitCode == 73)
        #expect(
            bench.server.keys() == ["sub/base.mp4", "sub/out-1.mp4", "sub/out.mp4"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    }

    @Test("what is wrong with the place is said before anything is rendered")
    func refusals() throws {
        let bench = try Bench()
        let clip = try Clip.base(seconds: 1).path
        let good = "s3://films/a.mp4"
        let cases: [(String, [String], [String: String], Int32)] = [
            ("s3://films//a.mp4", [], [:], 64), ("s3://films/a.avi", [], [:], 64),
            ("s3://films/a.otio", [], [:], 64), (good, ["--poster", "s3://films/a.jpg"], [:], 64),
            ("s3://nobody/a.mp4", [], [:], 78), (good, [], ["AWS_SECRET_ACCESS_KEY": "x"], 77),
            (good, [], ["AWS_ACCESS_KEY_ID": ""], 78),
            (good, [], ["AWS_ENDPOINT_URL": "http://127.0.0.1:9"], 69),
        ]
        for (output, words, changes, code) in cases {
            let outcome = try bench.takeup(
                ["export", clip, "-o", output, "--json"] + words, changes)
            #expect(outcome.exitCode == code, "\(output): \(outcome.errorText)")
            #expect(!outcome.outputText.contains(#""phase":"encode""#))
        }
        #expect(try bench.takeup(["watch", bench.folder.path, "-o", good]).exitCode == 64)
        #expect(try bench.takeup(["batch", clip, "-o", "s3://films//a"]).exitCode == 64)
        #expect(try bench.takeup(["submit", clip, "-o", "s3://films//a.mp4"]).exitCode == 64)
        #expect(bench.server.keys().isEmpty)
        #expect(try !bench.folder.names().contains { $0.hasPrefix("s3") })
    }

    @Test(
        "a signal ends it at a silent server, and aborts an upload; no object appears",
        arguments: ["GET", "PUT", "partNumber=2"])
    func interrupted(silence: String) throws {
        let bench = try Bench()
        let inParts = silence.hasPrefix("part")
        let clip = inParts ? try Self.large() : try Clip.base(seconds: 1)
        let isOver = Locked(false)
        defer { isOver.withLock { $0 = true } }
        let proxy = try FaultProxy(to: bench.server.port) { request in
            guard request.method == silence || request.target.contains(silence) else { return nil }
            while !isOver.withLock({ $0 }) { usleep(20_000) }
            return .cutRequest(after: 0)
        }
        var environment = bench.server.environment
        environment.merge(way(bench, proxy)) { $1 }
        let command = try Subprocess(
            BuiltProduct.path(of: "takeup"),
            ["export", clip.path, "-o", "s3://films/out.mp4", "--preset", "passthrough"],
            environment: environment, directory: bench.folder.path)
        let end = ContinuousClock.now + .seconds(60)
        while !proxy.requests.contains(where: {
            $0.method == silence || $0.target.contains(silence)
        }) {
            try #require(ContinuousClock.now < end)
            usleep(20_000)
        }
        command.signal(SIGINT)
        let outcome = command.wait(timeoutSeconds: 60)
        #expect(outcome.exitCode == 130, "\(outcome.errorText)")
        #expect(bench.server.keys().isEmpty)
        let aborts = proxy.requests.filter { $0.method == "DELETE" }
        #expect(aborts.count == (inParts ? 1 : 0))
        #expect(aborts.allSatisfy { $0.target.contains("uploadId=") })
    }

    @Test("a large output goes in parts; nothing has the key before the last one")
    func parts() throws {
        let bench = try Bench()
        let clip = try Self.large().path
        let early = Locked<[String]>([])
        let (folder, server) = (bench.server.folder, bench.server.port)
        let proxy = try FaultProxy(to: server) { request in
            if request.target.contains("partNumber="),
                access("\(folder)/films/out.mp4", F_OK) == 0
            {
                early.withLock { $0.append(request.target) }
            }
            return nil
        }
        let made = try bench.takeup(
            ["export", clip, "-o", "s3://films/out.mp4", "--preset", "passthrough", "--json"],
            way(bench, proxy))
        #expect(made.exitCode == 0, "\(made.errorText)")
        let hash = try sum(bench.server.file("out.mp4"))
        #expect(made.outputText.contains(#""sha256":"\#(hash)""#))
        #expect(proxy.requests.filter { $0.target.contains("partNumber=") }.count >= 2)
        #expect(early.withLock { $0 }.isEmpty)
        let completion = proxy.requests.last {
            $0.method == "POST" && $0.target.contains("uploadId=")
        }
        #expect(completion?.fields["if-none-match"] == "*")
    }

    @Test("the condition decides where another writer was faster, also when an answer is lost")
    func races() throws {
        let bench = try Bench()
        let clip = try Clip.base(seconds: 1).path
        let refusal = "<?xml version=\"1.0\"?><Error><Code>PreconditionFailed</Code></Error>"
        func export(
            _ name: String,
            _ rule: @escaping @Sendable (FaultProxy.Request, Int) -> FaultProxy.Fault?
        ) throws -> Int32? {
            let puts = Locked(0)
            let proxy = try FaultProxy(to: bench.server.port) { request in
                let isPut = request.method == "PUT"
                let number = puts.withLock { puts -> Int in
                    if isPut { puts += 1 }
                    return puts
                }
                if isPut, request.fields["if-none-match"] != "*" { return .answer(400) }
                return rule(request, number)
            }
            return try bench.takeup(
                ["export", clip, "-o", "s3://films/\(name).mp4", "--preset", "640x480"],
                way(bench, proxy)
            ).exitCode
        }
        // The server did it, and said so to nobody.
        let lost = try export("lost") { request, number in
            guard request.method == "PUT" else { return nil }
            return number == 1 ? .replaced(503, body: "") : .answer(412, body: refusal)
        }
        #expect(lost == 0)
        let other = bench.server.file("other.mp4")
        try Data("another".utf8).write(to: URL(filePath: other))
        let late = try export("other") { request, number in
            if request.method == "PUT" { return .answer(412, body: refusal) }
            return request.method == "HEAD" && number == 0 ? .answer(404) : nil
        }
        #expect(late == 73)
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "another")
        let busy = try export("busy") { request, _ in
            request.method == "PUT" ? .answer(409, body: refusal) : nil
        }
        #expect(busy == 75)
        #expect(bench.server.keys() == ["lost.mp4", "other.mp4"])
    }
}
