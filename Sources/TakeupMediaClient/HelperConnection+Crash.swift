internal import Foundation
internal import TakeupProcess

extension HelperConnection {
    /// How long a helper that has closed its socket, or speaks no sense, may take to end by itself.
    private static let crashSeconds = 0.7

    /// Ends a helper that does not answer as it should, and says what is known of it.
    func crash() -> HelperCrash {
        var crash = HelperCrash()
        let ending =
            child.wait(timeoutSeconds: Self.crashSeconds)
            ?? {
                child.kill()
                return child.wait()
            }()
        switch ending {
        case .signalled(let signal): crash.signal = signal
        case .exited(let status): crash.status = status
        case nil: break
        }
        if crash.signal == SIGXCPU { crash.limit = "processorTime" }
        if crash.signal == SIGXFSZ { crash.limit = "fileSize" }
        drainLog()
        crash.lastLines = lastLogLines
        return crash
    }
}
