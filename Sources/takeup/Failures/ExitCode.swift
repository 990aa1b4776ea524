/// What the program tells its caller when it ends; the numbers are a promise.
enum ExitCode: Int32, Sendable, CaseIterable {
    case success = 0
    case failed = 1
    case someFailed = 3
    case usage = 64
    case notMedia = 65
    case inputMissing = 66
    case unavailable = 69
    case internalError = 70
    case outputNotCreated = 73
    case inputOutput = 74
    case temporary = 75
    case verificationFailed = 76
    case notPermitted = 77
    case configuration = 78
    case interrupted = 130
    case terminated = 143

    /// The code for a command that SIGINT or SIGTERM stopped.
    static func stopped(by signal: Int32?) -> ExitCode {
        signal == 15 ? .terminated : .interrupted
    }
}
