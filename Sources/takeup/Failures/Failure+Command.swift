import TakeupModel

extension Failure {
    /// The status with which the program ends; hostile bytes may have written the failure's own.
    var status: ExitCode {
        exitCode != .success && ExitCode.all.contains(exitCode) ? exitCode : .internalError
    }

    /// The line of a command that ends with this failure, for scripts.
    var jsonLine: JSONValue { ["type": "error", "error": json] }

    init(_ error: UsageError) {
        self.init(
            exitCode: .usage, code: "usage", stage: "request", message: error.message,
            hint: error.hint ?? "see the command's --help")
    }

    init(_ error: ConfigurationError) {
        self.init(
            exitCode: .configuration, code: "configuration", stage: "request",
            message: error.message, hint: error.hint)
    }
}

extension Failure {
    /// For names that the queue or the cache does not know.
    static func unknown(_ kind: String, _ ids: [String], hint: String) -> Failure {
        let names = ids.map { "'\($0)'" }.joined(separator: ", ")
        return Failure(
            exitCode: .inputMissing, code: "notFound", stage: "request",
            message: "there is no \(kind) \(names)", hint: hint)
    }

    /// For jobs, with the way to find their names.
    static func unknownJobs(_ ids: [String]) -> Failure {
        unknown("job", ids, hint: "'takeup jobs list' names them")
    }

    /// For entries of the cache, with the way to find their names.
    static func unknownEntries(_ ids: [String]) -> Failure {
        unknown("cache entry", ids, hint: "'takeup cache list' names them")
    }
}
