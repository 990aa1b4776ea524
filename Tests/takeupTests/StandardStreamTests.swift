import Foundation
import Testing

@testable import takeup

@Suite("Standard stream")
struct StandardStreamTests {
    @Test("a full pipe holds up nothing for long when patience is short")
    func full() async {
        await #expect(processExitsWith: .exitCode(7)) {
            var ends: [Int32] = [0, 0]
            _ = Foundation.pipe(&ends)
            alarm(120)
            let stream = StandardStream(descriptor: ends[1], patience: 50)
            stream.write(String(repeating: "x", count: 1_000_000))
            exit(stream.lossReason == nil ? 7 : 8)
        }
    }

    @Test("a signal does not turn a wait for a full pipe into one without end")
    func interrupted() async {
        await #expect(processExitsWith: .exitCode(7)) {
            var ends: [Int32] = [0, 0]
            _ = Foundation.pipe(&ends)
            alarm(120)
            let filler = StandardStream(descriptor: ends[1], patience: 50)
            filler.write(String(repeating: "x", count: 1_000_000))
            let stream = StandardStream(descriptor: ends[1], patience: nil)
            let interrupts = Interrupts()
            interrupts.listen()
            interrupts.setStop { _ in stream.hurry() }
            // Threads of the task pool block every signal; this one has to be woken by it.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGINT)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            let writer = pthread_self()
            Thread {
                Thread.sleep(forTimeInterval: 0.1)
                pthread_kill(writer, SIGINT)
            }.start()
            stream.write("x")
            _exit(7)
        }
    }

    @Test("a reader that has gone ends the writing quietly")
    func gone() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGPIPE, SIG_IGN)
            var ends: [Int32] = [0, 0]
            _ = Foundation.pipe(&ends)
            close(ends[0])
            let stream = StandardStream(descriptor: ends[1], patience: nil)
            stream.write("x")
            stream.write("y")
            exit(stream.lossReason == nil ? 7 : 8)
        }
    }

    @Test("a full disk is not forgotten")
    func disk() throws {
        let descriptor = open("/dev/full", O_WRONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let stream = StandardStream(descriptor: descriptor, patience: nil)
        stream.write("x")
        #expect(stream.lossReason != nil)
    }
}
