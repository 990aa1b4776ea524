import Foundation
import TestSupport
import Testing

@testable import takeup

/// Disks that are full or read-only; each program runs in a mount namespace of its own.
@Suite("Dry runs and disks", .enabled(if: MountBench.isPossible))
struct DryRunPlaceTests {
    @Test(
        "a dry run refuses a full and a read-only disk with the run's own code",
        arguments: [
            ("mount -t tmpfs -o size=32k tmpfs out", 74),
            ("mount -t tmpfs -o ro,size=4m tmpfs out", 77),
        ] as [(String, Int32)])
    func places(mount: String, code: Int32) throws {
        // Some 170 kB, so that a copy of it does not fit into 32.
        let clip = try Clip.base(seconds: 2).bytes()
        let bench = try WatchProgramBench(["a.mp4": clip])
        let mounts = MountBench(bench)
        try mounts.make(["out"])
        let words = ["export", "in/a.mp4", "-o", "out/a.mp4", "--preset", "passthrough"]
        for more in [["--dry-run"], []] {
            let outcome = try mounts.run([mount], words + more, after: "ls -A out > listed")
            #expect(outcome.exitCode == code, "\(more) \(outcome.errorText)")
            let listed = try String(contentsOfFile: bench.file("listed"), encoding: .utf8)
            #expect(listed.isEmpty, "\(listed)")
        }
    }
}
