/// An error in words, for a user, a script or a job's record.
public struct FailureReport: Error, Sendable, Hashable, Codable {
    /// What to do about it without asking anybody.
    public enum Disposition: String, Sendable, Codable, CaseIterable {
        /// Another try may succeed.
        case retry
        /// Every further try ends the same way.
        case giveUp
        /// Wait for room; nothing is wrong with the work.
        case diskFull
        /// It was stopped on purpose.
        case cancelled
    }

    /// Stable, for scripts.
    public var code: String
    /// How far it came, in `ExportStage`'s words, or `request` before there was an export.
    public var stage: String
    /// What was tried, on what, and why it did not work.
    public var message: String
    /// What to do about it.
    public var hint: String
    /// What a program ends with.
    public var exitCode: Int32
    public var disposition: Disposition

    public init(
        code: String, stage: String, message: String, hint: String, ending: Ending
    ) {
        (self.code, self.stage, self.message, self.hint) = (code, stage, message, hint)
        (exitCode, disposition) = (ending.exitCode, ending.disposition)
    }

    /// How a program ends, and what becomes of the work.
    public struct Ending: Sendable, Equatable {
        public var exitCode: Int32
        public var disposition: Disposition

        public init(_ exitCode: Int32, _ disposition: Disposition) {
            (self.exitCode, self.disposition) = (exitCode, disposition)
        }
    }
}

/// - Note: Source: the numbers of BSD's `sysexits.h`, and the shell's for signals.
extension FailureReport.Ending {
    package static let failed = Self(1, .giveUp)
    package static let usage = Self(64, .giveUp)
    package static let notMedia = Self(65, .giveUp)
    package static let inputMissing = Self(66, .giveUp)
    package static let internalError = Self(70, .giveUp)
    package static let outputNotCreated = Self(73, .giveUp)
    /// A read or a write that failed; the next one may not.
    package static let inputOutput = Self(74, .retry)
    package static let diskFull = Self(74, .diskFull)
    package static let verificationFailed = Self(76, .giveUp)
    package static let notPermitted = Self(77, .giveUp)
    package static let configuration = Self(78, .giveUp)

    package static func stopped(by signal: Int32?) -> Self {
        Self(signal == 15 ? 143 : 130, .cancelled)
    }
}
