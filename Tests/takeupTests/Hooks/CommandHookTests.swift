import Foundation
@testable import TakeupHooks
import TakeupLanes
import TakeupWatch
import TestSupport
import Testing

@testable import takeup

@Suite("Command hook")
struct CommandHookTests {
    private static let path = "/usr/local/bin:/usr/bin:/bin"

    private func run(
        _ words: [String], _ trial: borrowing HookTrial, path: String = "a.mov",
        timeoutSeconds: Double = 120, stop: Cancellation = Cancellation(),
        fault: HookEvent.Fault? = nil
    ) throws -> HookAnswer {
        let hook = try Hook(.command(words))
        try trial.record(.failed, path, to: [hook], fault: fault)
        let message = try #require(try trial.message(hook))
        let command = CommandHook(
            words, timeoutSeconds: timeoutSeconds,
            environment: ["PATH": Self.path, "OWN": "kept", "NOTIFY_SOCKET": "/run/x"])
        return command.deliver(message, until: stop)
    }

    @Test("a hostile name comes through whole, and no shell sees it")
    func hostileName() throws {
        let trial = try HookTrial()
        let mark = trial.directory.file("mark")
        let name = "new\nline \"q\" 'p' $(touch \(mark)) `touch \(mark)`; touch \(mark) & é🎬.mov"
        let script = """
            cat > "$0/stdin"; env -0 > "$0/environment"; printf '%s' "$1" > "$0/argument"
            """
        let argument = "$(touch \(mark))\n"
        let answer = try run(
            ["sh", "-c", script, trial.directory.path, argument], trial, path: name,
            fault: .init(code: "x", message: "two\nlines", hint: ""))
        #expect(answer == .delivered)
        #expect(!FileManager.default.fileExists(atPath: mark))
        #expect(try trial.text("argument") == argument)
        let input = try trial.text("stdin")
        #expect(input.hasSuffix("}\n") && input.filter { $0 == "\n" }.count == 1)
        let event = try JSONDecoder().decode(HookEvent.self, from: Data(input.utf8))
        #expect(event.path == name)
        let environment = try trial.text("environment").split(separator: "\0").map(String.init)
        for variable in [
            "TAKEUP_HOOK_SOURCE=/in/\(name)", "TAKEUP_HOOK_OUTPUT=/out/\(name).mp4",
            "TAKEUP_HOOK_EVENT=watch.failed", "TAKEUP_HOOK_ID=\(event.id)", "TAKEUP_HOOK_JOB=j",
            "TAKEUP_HOOK_ERROR=two\nlines", "OWN=kept",
        ] {
            #expect(environment.contains(variable))
        }
        #expect(!environment.contains { $0.hasPrefix("NOTIFY_SOCKET") })
    }

    @Test("any end but 0 is a failure, with the end of what was said")
    func failures() throws {
        let trial = try HookTrial()
        #expect(
            try run(["sh", "-c", "echo out; echo no such queue >&2; exit 75"], trial)
                == .failed("it ended with 75: out\nno such queue"))
        #expect(try run(["sh", "-c", "kill -KILL $$"], trial) == .failed("signal 9 ended it"))
        #expect(try run(["false"], trial) == .failed("it ended with 1"))
    }

    @Test("a program that says much is neither blocked nor remembered whole")
    func muchOutput() throws {
        let trial = try HookTrial()
        let answer = try run(
            ["sh", "-c", "head -c 5000000 /dev/zero | tr '\\0' x; printf END; exit 1"], trial)
        guard case .failed(let reason, nil) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(reason.hasSuffix("xEND") && reason.utf8.count <= HookOutput.keptBytes + 40)
    }

    @Test("one that hangs is ended at its time, with what it has started")
    func hangs() throws {
        let trial = try HookTrial()
        let began = ContinuousClock.now
        let answer = try run(
            [
                "sh", "-c", "sleep 600 & echo $! > \"$0\"; echo stuck; wait",
                trial.directory.file("pid"),
            ],
            trial, timeoutSeconds: 1)
        #expect(answer == .failed("it did not end in its time: stuck"))
        #expect(ContinuousClock.now - began < .seconds(60))
        let pid = try #require(Int32(try trial.text("pid").trimmingCharacters(in: .newlines)))
        // Its parent is gone, so that it may be a zombie until whoever inherits it looks.
        #expect(isGone(pid))
    }

    private func isGone(_ pid: Int32) -> Bool {
        for _ in 0..<500 {
            let state = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
            guard let state, !state.contains(") Z ") else { return true }
            usleep(10_000)
        }
        return false
    }

    @Test("a stop ends it, asked first and by force after two seconds, and counts as nothing")
    func stops() throws {
        let trial = try HookTrial()
        let stop = Cancellation()
        let started = trial.directory.file("started")
        Thread.detachNewThread {
            while !FileManager.default.fileExists(atPath: started) { usleep(5000) }
            stop.cancel()
        }
        let script =
            "trap 'echo x >> \"$0.asked\"' TERM; echo > \"$0\"; while :; do sleep 0.05; done"
        #expect(try run(["sh", "-c", script, started], trial, stop: stop) == .stopped)
        #expect(try trial.text("started.asked").hasPrefix("x"))
        #expect(try run(["true"], trial, stop: stop) == .stopped)
    }

    @Test("a program that is not there is a failure that says so")
    func missing() throws {
        let trial = try HookTrial()
        #expect(
            try run(["no-such-program"], trial) == .failed("there is no program no-such-program"))
        guard case .failed(let reason, nil) = try run(["/no/such/program"], trial) else {
            Issue.record("it was started")
            return
        }
        #expect(reason.contains("/no/such/program"))
    }
}
