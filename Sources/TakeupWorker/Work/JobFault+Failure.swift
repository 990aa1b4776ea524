internal import TakeupCache
internal import TakeupModel
internal import TakeupFiles
internal import TakeupJobs

extension JobFault {
    init(_ report: FailureReport) {
        self.init(
            code: report.code, stage: report.stage, message: report.message, hint: report.hint,
            exitCode: report.exitCode)
    }

    init(_ error: ExportError) {
        self.init(FailureReport(error))
    }

    /// The cache's part of a job did not work; another try may.
    static func cache(_ error: CacheError) -> JobFault {
        JobFault(
            code: "cacheFailed", stage: "publish", message: "the cache cannot be used: \(error)",
            hint: "'takeup doctor' looks at the cache; the job is tried again", exitCode: 74)
    }

    static func sourceReplaced(_ name: String) -> JobFault {
        JobFault(
            code: "sourceReplaced", stage: "request",
            message: "\(name) is not the file any more that it was when the job was accepted",
            hint: "submit the job again, or 'takeup jobs retry' it, to export what is there now;"
                + " \"onReplaced\": \"accept\" in a list allows it",
            exitCode: 65)
    }

    static func timedOut(after seconds: Double) -> JobFault {
        JobFault(
            code: "timedOut", stage: "encode",
            message: "it took longer than the \(seconds) seconds that the job allows",
            hint: "give it a longer timeout, or a preset that is less work", exitCode: 1)
    }

    static func sourceChanged(_ name: String) -> JobFault {
        JobFault(
            code: "sourceChanged", stage: "verify",
            message: "\(name) changed while it was exported, and the result was dropped",
            hint: "wait until it is complete; the job is tried again", exitCode: 75)
    }
}
