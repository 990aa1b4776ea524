import Foundation
import TakeupLanes
import TestSupport
import Testing

@testable import takeup

@Suite("Interrupts")
struct InterruptsTests {
    @Test("a signal that finds nothing to stop ends the program with its code")
    func leaves() async {
        await #expect(processExitsWith: .exitCode(143)) {
            let interrupts = Interrupts()
            interrupts.listen()
            kill(getpid(), SIGTERM)
            try await Task.sleep(for: .seconds(10))
        }
    }

    @Test("the first signal asks to stop, the second gets through while that hangs")
    func insists() async {
        await #expect(processExitsWith: .exitCode(130)) {
            let interrupts = Interrupts()
            interrupts.listen()
            interrupts.setStop { signal in
                // As somebody does who has seen that it hangs.
                Thread.sleep(forTimeInterval: 0.2)
                kill(getpid(), signal)
                Thread.sleep(forTimeInterval: 10)
                _exit(1)
            }
            kill(getpid(), SIGINT)
            try await Task.sleep(for: .seconds(10))
        }
    }

    @Test("signals that mean nothing to a daemon do nothing, and its children end by them")
    func overlooked() async {
        await #expect(processExitsWith: .exitCode(143)) {
            let interrupts = Interrupts()
            interrupts.listen()
            Interrupts.overlook(hangUp: true)
            for signal in [SIGHUP, SIGUSR1, SIGUSR2] { kill(getpid(), signal) }
            let child = try Subprocess.run("sh", ["-c", "kill -USR1 $$"])
            guard child.signal == SIGUSR1 else { exit(1) }
            kill(getpid(), SIGTERM)
            try await Task.sleep(for: .seconds(10))
        }
    }

    @Test("a signal that a sender sends to the program and to its group at once counts once")
    func echoes() async {
        await #expect(processExitsWith: .success) {
            let interrupts = Interrupts()
            interrupts.listen()
            let count = Locked(0)
            interrupts.setStops(Array(repeating: { _ in count.withLock { $0 += 1 } }, count: 6))
            // A machine with much to do may pass on the second one late, but not every time.
            for _ in 0..<3 {
                count.withLock { $0 = 0 }
                for _ in 0..<2 {
                    kill(getpid(), SIGTERM)
                    usleep(1000)
                }
                try await Task.sleep(for: SignalEcho.span * 4)
                if count.withLock({ $0 == 1 }) { exit(0) }
            }
            exit(1)
        }
    }

    @Test("an echo is the same signal within its time; another one, or a later one, is none")
    func echo() {
        var echo = SignalEcho()
        let begin = ContinuousClock.now
        let signals = [
            (SIGINT, 0), (SIGINT, 40), (SIGTERM, 45), (SIGTERM, 100), (SIGTERM, 140), (SIGINT, 141),
        ]
        let heard = signals.map { echo.isEcho($0.0, at: begin + .milliseconds($0.1)) }
        #expect(heard == [false, true, false, false, true, false])
    }

    @Test("reloads come one after the other; all that are asked for during one are one more")
    func reloads() async {
        await #expect(processExitsWith: .success) {
            let interrupts = Interrupts()
            let (counts, over) = (
                Locked((running: 0, most: 0, all: 0)), DispatchSemaphore(value: 0)
            )
            interrupts.setReload {
                let isFirst = counts.withLock { counts in
                    counts.running += 1
                    counts.all += 1
                    counts.most = max(counts.most, counts.running)
                    return counts.all == 1
                }
                // They return at once: this one goes on.
                if isFirst { for _ in 0..<5 { interrupts.deliver(SIGHUP) } }
                counts.withLock { $0.running -= 1 }
            }
            let reload = Thread {
                interrupts.deliver(SIGHUP)
                over.signal()
            }
            reload.start()
            await withCheckedContinuation { continuation in
                Thread {
                    over.wait()
                    continuation.resume()
                }.start()
            }
            exit(counts.withLock { $0.most == 1 && $0.all == 2 } ? 0 : 1)
        }
    }
}
