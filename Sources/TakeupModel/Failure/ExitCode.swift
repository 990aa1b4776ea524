/// The status with which a program ends because of a failure; the numbers are a promise.
///
/// - Note: Source: BSD's `sysexits.h`, and the shell's numbers for signals.
public struct ExitCode: RawRepresentable, Sendable, Hashable, Codable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    private init(_ rawValue: Int32) { self.rawValue = rawValue }

    public static let success = Self(0)
    public static let failed = Self(1)
    public static let someFailed = Self(3)
    public static let usage = Self(64)
    public static let notMedia = Self(65)
    public static let inputMissing = Self(66)
    public static let unavailable = Self(69)
    public static let internalError = Self(70)
    public static let outputNotCreated = Self(73)
    public static let inputOutput = Self(74)
    public static let temporary = Self(75)
    public static let verificationFailed = Self(76)
    public static let notPermitted = Self(77)
    public static let configuration = Self(78)
    public static let interrupted = Self(130)
    public static let terminated = Self(143)

    /// Every status that `takeup` ends with.
    public static let all = [
        success, failed, someFailed, usage, notMedia, inputMissing, unavailable, internalError,
        outputNotCreated, inputOutput, temporary, verificationFailed, notPermitted, configuration,
        interrupted, terminated,
    ]

    /// Returns the status after a stop by SIGINT or SIGTERM; nil counts as SIGINT.
    public static func stopped(by signal: Int32?) -> ExitCode {
        signal == 15 ? .terminated : .interrupted
    }
}
