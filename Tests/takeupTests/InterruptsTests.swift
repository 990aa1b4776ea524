import Foundation
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
                kill(getpid(), signal)
                Thread.sleep(forTimeInterval: 10)
                _exit(1)
            }
            kill(getpid(), SIGINT)
            try await Task.sleep(for: .seconds(10))
        }
    }
}
