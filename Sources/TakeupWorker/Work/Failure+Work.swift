internal import TakeupCache
public import TakeupModel
internal import TakeupFiles
internal import TakeupJobs

extension Failure {
    /// Of a source that changed while it was read.
    public static let changedCode = "sourceChanged"

    /// Whether the sources' bytes may be what was wrong.
    public var blamesSources: Bool {
        exitCode == .verificationFailed || ["notMedia", "sourceIncomplete"].contains(code)
    }

    /// The cache's part of a job did not work; another try may.
    static func cache(_ error: CacheError) -> Failure {
        Failure(
            exitCode: .inputOutput, code: "cacheFailed", stage: "publish",
            message: "the cache cannot be used: \(error)",
            hint: "look at the cache; the job is tried again")
    }

    static func sourceReplaced(_ name: String) -> Failure {
        Failure(
            exitCode: .notMedia, code: "sourceReplaced", stage: "request",
            message: "\(name) is not the file any more that it was when the job was accepted",
            hint: "submit the job again, or retry it, to export what is there now;"
                + " \"onReplaced\": \"accept\" in a list allows it")
    }

    /// For a worker whose database a later version has taken over.
    static func databaseTooNew(_ path: String) -> Failure {
        Failure(
            exitCode: .configuration, code: "databaseTooNew", stage: "request",
            message:
                "a later version of Takeup has changed \(path): this worker takes no more jobs",
            hint: "install that version here, and start the worker again")
    }

    static func databaseGone(_ path: String) -> Failure {
        Failure(
            exitCode: .unavailable, code: "databaseGone", stage: "request",
            message:
                "\(path) was removed or replaced while this worker had it open; the worker ends",
            hint: "bring the file back and start the worker again; without the file, a new worker"
                + " begins an empty queue")
    }

    static func timedOut(after seconds: Double) -> Failure {
        Failure(
            exitCode: .failed, code: "timedOut", stage: "encode",
            message: "the export took longer than the job's limit of \(seconds) seconds",
            hint: "give the job a longer timeout, or a faster preset")
    }

    static func sourceChanged(_ name: String) -> Failure {
        Failure(
            exitCode: .temporary, code: Failure.changedCode, stage: "verify",
            message: "\(name) changed while it was exported, and the result was dropped",
            hint: "wait until it is complete; the job is tried again")
    }
}
