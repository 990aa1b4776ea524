public import Foundation

/// The one error that leaves a module: for a user, a script, or the record of a job.
public struct Failure: Error, Sendable, Hashable {
    /// What a queue does about it without asking anybody.
    public enum Disposition: String, Sendable, Codable, CaseIterable {
        /// Another try may succeed.
        case retry
        /// Every further try ends the same way.
        case giveUp
        /// The work waits for room; nothing is wrong with it.
        case diskFull
        /// Somebody stopped it on purpose.
        case cancelled
    }

    /// The exit code and the disposition that belong together.
    public struct Ending: Sendable, Equatable {
        public var exitCode: ExitCode
        public var disposition: Disposition

        public init(_ exitCode: ExitCode, _ disposition: Disposition) {
            (self.exitCode, self.disposition) = (exitCode, disposition)
        }
    }

    /// Never `success`.
    public var exitCode: ExitCode
    /// Names the kind of failure; stable, for scripts.
    public var code: String
    /// How far the work came, in `ExportStage`'s words; `request` before there was an export.
    public var stage: String
    /// What was tried, on what, and why it failed; without credentials.
    public var message: String
    /// What the user can do.
    public var hint: String
    public var disposition: Disposition

    public init(code: String, stage: String, message: String, hint: String, ending: Ending) {
        (self.code, self.stage, self.message, self.hint) = (code, stage, message, hint)
        (exitCode, disposition) = (ending.exitCode, ending.disposition)
    }

    /// Makes a failure that another try does not help.
    public init(
        exitCode: ExitCode, code: String, stage: String, message: String, hint: String
    ) {
        self.init(
            code: code, stage: stage, message: message, hint: hint,
            ending: Ending(exitCode, .giveUp))
    }
}

extension Failure: LocalizedError {
    public var errorDescription: String? { message }
}

extension Failure: Codable {
    private enum Key: String, CodingKey {
        case exitCode, code, stage, message, hint, disposition
    }

    /// Reads a failure that a job's record holds or that a helper sent.
    ///
    /// Releases up to 1.0 stored no disposition, and later ones may know more. Hostile bytes may have taken over a helper: no failure is a success.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let exitCode = try values.decode(ExitCode.self, forKey: .exitCode)
        self.init(
            code: try values.decode(String.self, forKey: .code),
            stage: try values.decode(String.self, forKey: .stage),
            message: try values.decode(String.self, forKey: .message),
            hint: try values.decode(String.self, forKey: .hint),
            ending: Ending(
                exitCode == .success ? .internalError : exitCode,
                try values.decodeIfPresent(String.self, forKey: .disposition)
                    .flatMap(Disposition.init(rawValue:)) ?? .giveUp))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(exitCode, forKey: .exitCode)
        try values.encode(code, forKey: .code)
        try values.encode(stage, forKey: .stage)
        try values.encode(message, forKey: .message)
        try values.encode(hint, forKey: .hint)
        try values.encode(disposition, forKey: .disposition)
    }
}

extension Failure.Ending {
    package static let failed = Self(.failed, .giveUp)
    package static let usage = Self(.usage, .giveUp)
    package static let notMedia = Self(.notMedia, .giveUp)
    package static let inputMissing = Self(.inputMissing, .giveUp)
    package static let internalError = Self(.internalError, .giveUp)
    package static let outputNotCreated = Self(.outputNotCreated, .giveUp)
    /// A read or a write that failed; the next one may not.
    package static let inputOutput = Self(.inputOutput, .retry)
    package static let diskFull = Self(.inputOutput, .diskFull)
    package static let verificationFailed = Self(.verificationFailed, .giveUp)
    package static let notPermitted = Self(.notPermitted, .giveUp)
    package static let configuration = Self(.configuration, .giveUp)

    package static func stopped(by signal: Int32?) -> Self {
        Self(ExitCode.stopped(by: signal), .cancelled)
    }
}

extension Failure {
    /// The `error` object of the contract.
    package var json: JSONValue {
        [
            "code": .text(code), "stage": .text(stage), "message": .text(message),
            "hint": .text(hint),
        ]
    }

    /// The same, with what a command ends with because of it.
    package var detailedJSON: JSONValue {
        guard case .object(let members) = json else { return json }
        let code = JSONValue.integer(Int64(exitCode.rawValue))
        return .object(members + [.init(key: "exitCode", value: code)])
    }
}
