import Foundation
import TestSupport
import Testing

/// A clock that the program sees ten minutes away from the kernel's, as one that was set while something waited.
@Suite("A clock that is set")
struct OtherClockTests {
    private static let source = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "scripts/measuring/other_clock.c").path

    @Test("makes no wait of a worker longer: it starts what comes later", arguments: [600, -600])
    func worker(seconds: Int) throws {
        let folder = try TemporaryDirectory()
        let library = folder.file("clock.so")
        _ = try Subprocess.run("cc", ["-shared", "-fPIC", "-o", library, Self.source])
            .requireSuccess()
        let clock = ["LD_PRELOAD": library, "OTHER_CLOCK": "\(seconds)"]
        let takeup = try BuiltProduct.path(of: "takeup")
        let places = ["--home", folder.file("home"), "--cache", folder.file("cache")]
        var worker = try Subprocess(takeup, ["worker"] + places, environment: clock)
        let isReady = worker.waitForOutput(containing: "ready: ")
        // The empty queue has been looked at by now.
        usleep(500_000)
        let clip = try Clip.base(seconds: 1).path
        let job = try Subprocess.run(
            takeup, ["submit", clip, "--preset", "low", "--wait"] + places, environment: clock,
            timeoutSeconds: 60)
        worker.signal(SIGTERM)
        let ending = worker.wait(timeoutSeconds: 60)
        #expect(isReady && !ending.timedOut, "\(ending.errorText)")
        #expect(job.exitCode == 0 && !job.timedOut, "\(job.errorText)")
    }
}
