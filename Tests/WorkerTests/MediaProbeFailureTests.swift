import Foundation
import TakeupProcess
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

@Suite("Media probe's failures")
struct MediaProbeFailureTests {
    private func limits(seconds: Double) -> MediaProbe.Limits {
        var limits = MediaProbe.Limits()
        limits.seconds = seconds
        return limits
    }

    @Test("a crash says what is known of it, and the next file is looked into")
    func crash() throws {
        let trial = try ProbeTrial()
        let clip = try Clip.base(seconds: 1).path
        // The second time in a helper that has seen another file.
        for _ in 0..<2 {
            guard case .crashed(let crash)? = trial.error(clip, fault: .segmentationFault) else {
                Issue.record("it did not crash")
                return
            }
            #expect(crash.signal == SIGSEGV || crash.lastLines.contains("Sanitizer"))
            #expect(trial.probe.pid == nil)
            #expect(try trial.facts(clip).hasVideo)
        }
    }

    @Test("a hang is ended after the time for a file, and the next one is looked into")
    func hang() throws {
        let trial = try ProbeTrial(limits(seconds: 0.3))
        let clip = try Clip.base(seconds: 1).path
        #expect(trial.error(clip, fault: .hang) == .tooSlow(seconds: 0.3))
        #expect(trial.probe.pid == nil)
        let next = try ProbeTrial()
        #expect(next.error(clip, fault: .probe).map { "\($0)".contains("probe") } == true)
        #expect(try next.facts(clip).hasVideo)
    }

    @Test("of a large file that takes too long, the first look counts")
    func glance() throws {
        // A busy machine may need more than the first limit for the first look.
        for seconds in [2.0, 10, 60] {
            let trial = try ProbeTrial(limits(seconds: seconds))
            let path = try large(trial)
            guard let glance = try? trial.facts(path, fault: .hang) else { continue }
            #expect(!glance.isChecked)
            #expect((glance.width, glance.videoCodec, glance.audioCodec) == (640, "h264", "aac"))
            #expect(trial.probe.pid == nil)
            let whole = try ProbeTrial().facts(path)
            #expect(whole.isChecked && whole.cutShort == nil && whole.width == 640)
            return
        }
        Issue.record("there was no first look")
    }

    /// A clip with a box behind it that holds nothing, and takes no room on the disk.
    private func large(_ trial: ProbeTrial) throws -> String {
        let path = try trial.file("large.mp4", Clip.base(seconds: 1).bytes())
        let file = try FileHandle(forUpdating: URL(filePath: path))
        let end = try file.seekToEnd()
        try file.write(contentsOf: Data([0x20, 0, 0, 0]) + Data("free".utf8))
        try file.truncate(atOffset: end + 0x2000_0000)
        try file.close()
        return path
    }

    @Test("one that eats memory is ended")
    func memory() throws {
        let trial = try ProbeTrial(change: { $0.memoryBytes = 300 << 20 })
        let clip = try Clip.base(seconds: 1).path
        guard case .memoryExceeded(let bytes)? = trial.error(clip, fault: .memory) else {
            Issue.record("it was not ended")
            return
        }
        #expect(bytes > 300 << 20)
    }

    @Test("a stop ends a look at once")
    func stop() throws {
        let trial = try ProbeTrial()
        let clip = try Clip.base(seconds: 1).path
        var isStopped = false
        #expect(throws: MediaProbeError.cancelled) {
            try trial.facts(clip, fault: .hang) {
                defer { isStopped = true }
                return isStopped
            }
        }
        #expect(trial.probe.pid == nil)
    }

    @Test("a helper is replaced after many files")
    func many() throws {
        let trial = try ProbeTrial(change: { $0.mostExports = 2 })
        let clip = try Clip.base(seconds: 1).path
        #expect(try trial.facts(clip).hasVideo)
        #expect(trial.probe.pid != nil)
        #expect(try trial.facts(clip).hasVideo)
        #expect(trial.probe.pid == nil)
        #expect(try trial.facts(clip).hasVideo)
    }

    @Test("a helper that was killed between two files is replaced")
    func killed() throws {
        let trial = try ProbeTrial()
        let clip = try Clip.base(seconds: 1).path
        _ = try trial.facts(clip)
        let pid = try #require(trial.probe.pid)
        kill(pid, SIGKILL)
        #expect(try trial.facts(clip).hasVideo)
        #expect(trial.probe.pid != pid)
    }

    @Test("without a program for helpers it says so, whatever the file is")
    func noProgram() throws {
        let trial = try ProbeTrial(change: { $0.executable = "/nowhere/takeup" })
        guard case .unavailable(let error)? = trial.error(try Clip.base(seconds: 1).path) else {
            Issue.record("something was started")
            return
        }
        #expect(error.operation == .spawn && error.errno == ENOENT)
    }

    @Test("an idle helper is ended, and another one started when it is needed")
    func idle() throws {
        var now = ContinuousClock.now
        let trial = try ProbeTrial(now: { now })
        let clip = try Clip.base(seconds: 1).path
        trial.probe.endIfIdle()
        _ = try trial.facts(clip)
        now += .seconds(59)
        trial.probe.endIfIdle()
        #expect(trial.probe.pid != nil)
        now += .seconds(1)
        trial.probe.endIfIdle()
        #expect(trial.probe.pid == nil)
        #expect(try trial.facts(clip).hasVideo)
        trial.probe.stop()
        #expect(trial.probe.pid == nil)
    }

    @Test("many files are looked into by one helper, and no descriptor stays open in it or here")
    func reused() throws {
        let trial = try ProbeTrial()
        let letter = try trial.file("letter.mp4", Data("nothing".utf8))
        let part = try ProbeTrial.cut(Clip.base(seconds: 2), percent: 40, "part.mp4")
        let files = [try Clip.base(seconds: 1).path, part, letter]
        for file in files { _ = try? trial.facts(file) }
        let pid = try #require(trial.probe.pid)
        let before = openFiles(of: "\(pid)").count
        for turn in 0..<100 { _ = try? trial.facts(files[turn % files.count]) }
        #expect(trial.probe.pid == pid)
        // The last one's may be about to be closed.
        #expect(openFiles(of: "\(pid)").count <= before + 1)
        #expect(!openFiles(of: "self").contains(letter))
    }

    /// What each open descriptor leads to, as far as it is told.
    private func openFiles(of process: String) -> [String] {
        let folder = "/proc/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.map {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) ?? ""
        }
    }
}
