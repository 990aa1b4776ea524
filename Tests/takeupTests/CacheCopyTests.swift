import Foundation
import TakeupLanes
import TestSupport
import Testing

/// Caches that move between folders and buckets; sha256sum and ffprobe judge.
@Suite("Moving a cache", .enabled(if: S3Server.missing == nil, "there is no rclone"))
struct CacheCopyTests {
    typealias Bench = BucketCommandTests.Bench

    @Test("a cache moves to a bucket, to another one and back; each knows all results")
    func moves() throws {
        let bench = try Bench()
        let clip = try Clip.base(seconds: 1).path
        let folder = bench.folder.file("cache-one")
        func takeup(_ words: [String], at place: String) throws -> Subprocess.Outcome {
            try bench.takeup(words, ["TAKEUP_OBJECTS": place])
        }
        for start in ["0", "0.25", "0.5"] {
            let made = try takeup(
                ["batch", clip, "--preset", "640x480", "--start", start], at: folder)
            #expect(made.exitCode == 0, "\(made.errorText)")
        }
        let ids = try takeup(["cache", "list", "--json"], at: folder).outputText
        let places = [folder, "s3://films/first", "s3://films/second", folder]
        for (from, to) in zip(places, places.dropFirst()) {
            let copied = try takeup(["cache", "copy", from, to, "--json"], at: from)
            #expect(copied.exitCode == 0, "\(copied.errorText)")
            let count = to == folder ? #""copied":0,"# : #""copied":3,"#
            #expect(copied.outputText.contains(count), "\(copied.outputText)")
            let again = try takeup(["cache", "copy", from, to, "--json"], at: from)
            #expect(again.outputText.contains(#""copied":0,"copiedBytes":0,"present":3,"#))
            #expect(try takeup(["cache", "list"], at: to).exitCode == 78)
            let listed = try takeup(["cache", "list", "--adopt", "--json"], at: to)
            #expect(listed.exitCode == 0, "\(listed.errorText)")
            #expect(listed.outputText.count(of: #""sha256""#) == ids.count(of: #""sha256""#))
            #expect(try takeup(["cache", "list"], at: from).exitCode == 78)
            #expect(try takeup(["cache", "copy", from, to], at: from).exitCode == 78)
            let whole = try takeup(["cache", "verify"], at: to)
            #expect(whole.exitCode == 0 && whole.outputText.contains("3 checked"))
        }
        for place in ["first", "second"] {
            let objects = bench.server.keys("\(place)/objects/")
            #expect(objects.count == 3)
            for key in objects {
                let file = bench.server.file(key)
                let sum = try Subprocess.run("sha256sum", [file]).outputText.prefix(64)
                #expect(key.contains(sum))
                #expect(try Subprocess.run("ffprobe", ["-v", "error", file]).exitCode == 0)
            }
        }
        let cached = try takeup(
            ["batch", clip, "--preset", "640x480", "--start", "0.25", "--json"],
            at: folder)
        #expect(cached.outputText.contains(#""cached":1"#))
    }

    @Test("a prefix of another database is refused; what is damaged is told")
    func refusals() throws {
        let bench = try Bench()
        let clip = try Clip.base(seconds: 1).path
        let other = try bench.takeup(
            ["batch", clip, "--preset", "640x480"],
            ["TAKEUP_HOME": bench.folder.file("other"), "TAKEUP_OBJECTS": "s3://films/other"])
        #expect(other.exitCode == 0, "\(other.errorText)")
        #expect(try bench.takeup(["batch", clip, "--preset", "640x480"]).exitCode == 0)
        let before = bench.server.keys()
        let copy = { (to: String) in ["cache", "copy", "s3://films/takeup", to] }
        #expect(try bench.takeup(copy("s3://films/other")).exitCode == 78)
        #expect(try bench.takeup(copy("s3://films")).exitCode == 78)
        #expect(try bench.takeup(copy("s3://films/takeup")).exitCode == 64)
        #expect(try bench.takeup(copy("s3://films//x")).exitCode == 64)
        let server = ["--server", "http://127.0.0.1:9"]
        #expect(try bench.takeup(copy("s3://films/new") + server).exitCode == 64)
        #expect(try bench.takeup(copy("s3://nobody/x")).exitCode == 78)
        #expect(
            try bench.takeup(["cache", "copy", "s3://films/other", "s3://films/new"]).exitCode == 78
        )
        #expect(bench.server.keys() == before)
        let object = try #require(bench.server.keys("takeup/objects/").first)
        try Data("bad".utf8).write(to: URL(filePath: bench.server.file(object)))
        try FileManager.default.removeItem(atPath: bench.folder.file("cache-one/copies"))
        let damaged = try bench.takeup(copy("s3://films/new") + ["--json"])
        #expect(damaged.exitCode == 76, "\(damaged.errorText)")
        #expect(damaged.outputText.contains("other content"), "\(damaged.outputText)")
        #expect(bench.server.keys("new/") == ["new/owner"])
    }
}

extension String {
    fileprivate func count(of word: String) -> Int { components(separatedBy: word).count - 1 }
}
