import Foundation
import TakeupExport
import TakeupProcess
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

@Suite("Export helper's sandbox")
struct HelperSandboxTests {
    @Test(
        "a sealed helper reaches nothing and nobody, on each version of Landlock, call by call",
        arguments: 1...Int32(max(1, Sandbox.available().landlockVersion)))
    func sealed(version: Int32) throws {
        let trial = try HelperTrial { $0.mostLandlockVersion = version }
        let run = try trial.run(try Clip.base(seconds: 1).path, fault: .probe)
        let failure = try #require(run.outcome.failure)
        #expect(failure.code == "probe")
        #expect(failure.message == "")
        #expect(run.unexpectedGaps == [])
        #expect(run.sandbox.landlockVersion == Int(version) && run.sandbox.isWhole)
        #expect(run.sandbox.unconfined == [] && run.sandbox.diesWithParent)
    }

    @Test("without Landlock files can be read and nothing else, which is said")
    func withoutLandlock() throws {
        let trial = try HelperTrial { $0.mostLandlockVersion = 0 }
        let run = try trial.run(try Clip.base(seconds: 1).path, fault: .probe)
        let failure = try #require(run.outcome.failure)
        #expect(failure.code == "probe")
        let possible = failure.message.components(separatedBy: ", ")
        #expect(possible.contains { $0.hasPrefix("read /etc/passwd") })
        #expect(possible.allSatisfy { $0.hasPrefix("read ") }, "\(possible)")
        #expect(!run.sandbox.isWhole && run.sandbox.filtersCalls)
        #expect(run.sandbox.unconfined.count == 1)
        #expect(try trial.run(try Clip.base(seconds: 1).path).outcome.report != nil)
    }

    @Test("a helper that cannot be sealed whole is refused where that is asked for")
    func required() throws {
        let trial = try HelperTrial {
            $0.mostLandlockVersion = 0
            $0.requiresSandbox = true
        }
        let source = try Clip.base(seconds: 1).path
        let error = #expect(throws: ProcessError.self) { try trial.run(source) }
        #expect(error?.operation == .seal)
        #expect(trial.helper.pid == nil)
    }

    @Test(
        "exports as in the open: codecs with threads of their own, two passes, a copy",
        arguments: ["medium", "hevc-1920x1080", "av1-1920x1080", "m4a", "social-25mb", "proxy"])
    func works(preset: String) throws {
        let trial = try HelperTrial()
        var chosen = try ExportPreset.named(preset)
        if chosen.video != nil, !preset.hasPrefix("av1") { chosen.video?.speed = "ultrafast" }
        var settings = ExportSettings()
        settings.copy = .never
        let run = try trial.run(
            try Clip.base(seconds: 2).path, preset: chosen, settings: settings)
        #expect(run.outcome.report != nil, "\(run.outcome) \(run.log)")
        #expect(run.sandbox.isWhole)
    }

    @Test("Dispatch looks at its threads, which takes a second of waiting ones, and goes on")
    func dispatchLooksAtThreads() throws {
        let trial = try HelperTrial()
        let run = try trial.run(try Clip.base(seconds: 1).path, fault: .blockedThreads)
        #expect(run.outcome.failure?.code == "blockedThreads", "\(run.outcome) \(run.log)")
    }
}
