public import Foundation

/// Why a job did not succeed, in the words of the contract.
public struct JobFault: Error, Sendable, Hashable, Codable {
    /// Stable, for scripts.
    public var code: String
    public var stage: String
    /// What was tried, on what, and why it did not work; without credentials.
    public var message: String
    /// What to do about it.
    public var hint: String
    /// What a one-off export would have ended with.
    public var exitCode: Int32

    public init(code: String, stage: String, message: String, hint: String, exitCode: Int32) {
        (self.code, self.stage, self.message) = (code, stage, message)
        (self.hint, self.exitCode) = (hint, exitCode)
    }
}

extension JobFault: LocalizedError {
    public var errorDescription: String? { message }
}
