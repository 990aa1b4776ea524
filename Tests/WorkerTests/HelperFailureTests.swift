import Foundation
import TakeupExport
import TakeupProcess
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

@Suite("Export helper's failures")
struct HelperFailureTests {
    @Test("a crash costs one export and says what is known of it")
    func crash() throws {
        let trial = try HelperTrial()
        let source = try Clip.base(seconds: 1).path
        let run = try trial.run(source, fault: .segmentationFault)
        let crash = try #require(run.outcome.crash)
        // A sanitizer catches the signal and exits.
        #expect(crash.signal == SIGSEGV || crash.lastLines.contains("Sanitizer"))
        #expect(crash.lastLines.contains("about to crash"))
        let failure = try #require(run.outcome.failure)
        #expect(failure.code == "helperCrashed" && failure.exitCode == .internalError)
        #expect(try trial.run(source).outcome.report != nil)
    }

    @Test("a hang is ended when nothing has moved for long enough")
    func hang() throws {
        let trial = try HelperTrial { $0.stallSeconds = 0.5 }
        let source = try Clip.base(seconds: 1).path
        #expect(try trial.run(source, fault: .hang).outcome == .hung(seconds: 0.5))
        #expect(trial.helper.pid == nil)
    }

    @Test("one that eats memory is ended with what it held")
    func memory() throws {
        let trial = try HelperTrial { $0.memoryBytes = 300 << 20 }
        let source = try Clip.base(seconds: 1).path
        let run = try trial.run(source, fault: .memory)
        guard case .memoryExceeded(let bytes) = run.outcome else {
            Issue.record("\(run)")
            return
        }
        // Looked at once a second; a sanitizer's own memory comes on top.
        #expect(bytes > 300 << 20 && bytes < 4 << 30)
        #expect(run.outcome.failure?.code == "memoryExceeded")
    }

    @Test("one that keeps much memory is replaced")
    func idleMemory() throws {
        let trial = try HelperTrial { $0.idleMemoryBytes = 1 << 20 }
        #expect(try trial.run(try Clip.base(seconds: 1).path).outcome.report != nil)
        #expect(trial.helper.pid == nil)
    }

    @Test(
        "the processor's time is limited for each export, whatever the helper makes of the signal",
        arguments: [HelperFault.processor, .deafProcessor])
    func processor(fault: HelperFault) throws {
        let trial = try HelperTrial { $0.processorSeconds = 0 }
        let source = try Clip.base(seconds: 1).path
        let run = try trial.run(source, fault: fault)
        #expect(run.outcome.crash?.limit == "processorTime")
    }

    @Test(
        "a cancelled export stops at once; the helper goes on where it can",
        arguments: [nil, HelperFault.hang])
    func cancel(fault: HelperFault?) throws {
        let trial = try HelperTrial()
        let source = try Clip.base(seconds: 20).path
        var preset = try HelperTrial.preset(speed: "veryslow")
        preset.video?.crf = 10
        var settings = ExportSettings()
        settings.copy = .never
        var began: ContinuousClock.Instant?
        let start = ContinuousClock.now
        let run = try trial.run(
            source, preset: preset, settings: settings, fault: fault,
            isStopped: {
                guard ContinuousClock.now - start > .seconds(1) else { return false }
                began = began ?? .now
                return true
            })
        let took = ContinuousClock.now - (began ?? start)
        #expect(run.outcome == .cancelled)
        #expect(took < .seconds(2))
        // A busy machine may take longer than the time that a helper is given before it is killed.
        let isGivenUp = fault != nil || took > .seconds(0.7)
        #expect(isGivenUp || trial.helper.pid != nil)
        #expect(fault == nil || trial.helper.pid == nil)
        #expect(try trial.run(Clip.base(seconds: 1).path).outcome.report != nil)
    }

    /// Starts a helper below a shell, which then is its parent.
    private func startBelowShell(_ parent: String, _ log: Int32) throws -> (
        ChildProcess, MessageSocket
    ) {
        let (socket, childSocket) = try MessageSocket.pair()
        var program = ChildProcess.Program(path: "/bin/sh", log: log)
        let limits = try #require(HelperCommand.arguments(.init())?.last)
        let script = "\"$0\" \(HelperCommand.name) \(parent) \"$1\" & wait"
        program.arguments = ["-c", script, try BuiltProduct.path(of: "takeup-media"), limits]
        program.environment = [
            "LD_LIBRARY_PATH": getenv("LD_LIBRARY_PATH").map { String(cString: $0) } ?? ""
        ]
        program.descriptors = [childSocket.descriptor]
        return (try ChildProcess(program), socket)
    }

    private func isEnd(_ received: MessageSocket.Received) -> Bool {
        if case .end = received { true } else { false }
    }

    @Test("a helper ends with the process that started it")
    func parentKilled() throws {
        let (shell, socket) = try startBelowShell("$$", STDERR_FILENO)
        var assembly = HelperMessage.Assembly()
        guard case .message(let bytes, _) = try socket.receive(timeoutSeconds: 120),
            case .whole(.ready) = assembly.add(bytes)
        else {
            Issue.record("no helper")
            return
        }
        // The shell alone: nobody tells the helper, and its socket stays open here.
        kill(shell.pid, SIGKILL)
        #expect(isEnd(try socket.receive(timeoutSeconds: 5)))
    }

    @Test("a helper whose parent has gone before it was sealed does nothing")
    func parentGone() throws {
        let folder = try TemporaryDirectory()
        let log = open(folder.file("log"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(log) }
        let (shell, socket) = try startBelowShell("1", log)
        #expect(shell.wait(timeoutSeconds: 120) == .exited(0))
        #expect(isEnd(try socket.receive(timeoutSeconds: 5)))
        #expect(
            try String(contentsOfFile: folder.file("log"), encoding: .utf8)
                .contains("the parent process"))
    }
}
