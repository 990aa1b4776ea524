import Foundation
import TestSupport
import Testing

@testable import takeup

/// Folders that mounts show by other paths; each program runs in a mount namespace of its own.
@Suite("Watching through mounts", .enabled(if: MountBench.isPossible))
struct WatchMountTests {
    @Test(
        "a folder that lies in a watched one by another path is refused",
        arguments: [
            ("in/out", "seen", ["in", "-o", "seen"], "the output folder"),
            ("in/sub", "seen", ["in", "seen", "-o", "out"], "lie in each other"),
            ("in", "seen", ["in", "seen", "-o", "out"], "watched twice"),
            ("in", "seen", ["in", "-o", "seen/deep/out"], "the output folder"),
            ("in/c", "cache", ["in", "-o", "out"], "the cache"),
            ("in/h", "home", ["in", "-o", "out"], "the folder of the database"),
            (".", "seen", ["in", "-o", "seen"], "lies in the output folder"),
        ])
    func refused(shown: String, place: String, words: [String], reason: String) throws {
        let bench = try WatchProgramBench([:])
        let mounts = MountBench(bench)
        try mounts.make([shown, place])
        let outcome = try mounts.run(
            ["mount --bind \(shown) \(place)"], ["watch"] + words + ["--stable", "0.2s", "--once"])
        #expect(outcome.exitCode == 78, "\(outcome.errorText)")
        #expect(outcome.errorText.contains(reason) && outcome.errorText.contains("mount"))
    }

    @Test("outputs that a later mount shows among the sources are not taken")
    func laterMount() throws {
        let clip = try Clip.base(seconds: 1).bytes()
        let bench = try WatchProgramBench(["a.mov": clip])
        let mounts = MountBench(bench)
        try mounts.make(["in/sub", "out"])
        let outcome = try mounts.run(
            [], ["watch", "in", "-o", "out", "--stable", "3s", "--scan", "1s"],
            during: [
                MountBench.wait(forWords: "in: watching"), "mount --bind in/sub out",
                MountBench.wait(until: "[ -e in/sub/a.mp4 ]"), "sleep 5", MountBench.stop,
            ])
        #expect(bench.files("in") == ["a.mov", "sub/a.mp4"], "\(outcome.errorText)")
        #expect(outcome.errorText.contains("sub is not looked into: it is the output folder"))
        #expect(try bench.jobCount() == 1)
    }
}

extension WatchMountTests {
    @Test(
        "where outputs cannot be written nothing fails, and all goes on once they can",
        arguments: [
            (
                "mount -t tmpfs -o ro,size=4m tmpfs out", "mount -o remount,rw out",
                "Read-only file system"
            ),
            (
                "mount -t tmpfs -o size=1m tmpfs out; head -c 2m /dev/zero > out/full || true",
                "rm out/full", "No space left on device"
            ),
        ])
    func unwritable(close: String, open: String, reason: String) throws {
        let clip = try Clip.base(seconds: 1).bytes()
        let bench = try WatchProgramBench(["a.mov": clip])
        let mounts = MountBench(bench)
        try mounts.make(["out"])
        let outcome = try mounts.run(
            [close + " 2>/dev/null"],
            [
                "watch", "in", "-o", "out", "--stable", "0.3s", "--scan", "1s", "--changes",
                "polling", "--after", "move", "--after-failure", "move",
            ],
            during: [
                MountBench.wait(forWords: "files wait"), "sleep 3",
                "cp -a in/failed failed-then 2>/dev/null || true", open,
                MountBench.wait(until: "[ -e in/done/a.mov ]"), MountBench.stop,
            ], after: "ls out > listed")
        let text = outcome.errorText
        #expect(text.contains("it cannot be written to: \(reason); files wait"), "\(text)")
        #expect(text.contains("can be written to again"), "\(text)")
        #expect(!text.contains("has failed"))
        let listed = try String(contentsOfFile: bench.file("listed"), encoding: .utf8)
        #expect(listed.contains("a.mp4"), "\(text)")
        #expect(bench.files("in").contains("done/a.mov"))
        #expect(bench.files("failed-then").isEmpty)
        #expect(try bench.jobCount() == 1)
    }

    @Test("a batch waits for an output folder that is read-only, and says so once")
    func batch() throws {
        let clip = try Clip.base(seconds: 1).bytes()
        let bench = try WatchProgramBench(["a.mov": clip, "b.mov": clip])
        let mounts = MountBench(bench)
        try mounts.make(["out"])
        let outcome = try mounts.run(
            ["mount -t tmpfs -o ro,size=4m tmpfs out"],
            ["batch", "in", "-o", "out", "--retries", "0"],
            during: [
                MountBench.wait(forWords: "what goes there waits"), "sleep 2",
                "mount -o remount,rw out",
            ], after: "ls out > listed")
        let text = outcome.errorText
        #expect(outcome.exitCode == 0, "\(text)")
        let words = "cannot be written to: Read-only file system; what goes there waits"
        #expect(text.components(separatedBy: words).count == 2, "\(text)")
        let listed = try String(contentsOfFile: bench.file("listed"), encoding: .utf8)
        #expect(listed.contains("a.mp4") && listed.contains("b.mp4"))
    }

    @Test("a folder of outputs that cannot be written to is told by doctor and ends --once with 3")
    func doctor() throws {
        let bench = try WatchProgramBench(["a.mov": try Clip.base(seconds: 1).bytes()])
        let mounts = MountBench(bench)
        try mounts.make(["out"])
        let text = #"{"watch": {"stable": "0.2s", "folders": [{"path": "in", "output": "out"}]}}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: bench.file("c.json")))
        let close = "mount -t tmpfs -o ro,size=4m tmpfs out"
        let told = try mounts.run([close], ["doctor", "--config", "c.json"])
        #expect(told.outputText.contains("it cannot be written to: Read-only file system"))
        let once = try mounts.run([close], ["watch", "--config", "c.json", "--once"])
        #expect(once.exitCode == 3 && once.errorText.contains("Read-only file system"))
        #expect(try bench.jobCount() == 0)
    }
}
