package import TakeupJobs
package import TakeupModel

/// How a job ended, as users and scripts see it.
package struct JobEnding: Sendable, Equatable {
    package enum Status: String, Sendable, CaseIterable {
        case succeeded, cached, failed, cancelled
    }

    package let spec: JobSpec
    package let status: Status
    /// Nil unless it succeeded or was answered from the cache.
    package let result: JobResult?
    /// Nil unless it failed or was cancelled.
    package let fault: Failure?
    /// Wall time of the last attempt; nil when there was none.
    package let seconds: Double?

    /// - Returns: nil for a job that has not ended.
    package init?(_ record: JobRecord) {
        switch record.state {
        case .queued, .scheduled, .running: return nil
        case .succeeded: status = .succeeded
        case .cached: status = .cached
        case .failed, .quarantined: status = .failed
        case .cancelled: status = .cancelled
        }
        spec = record.spec
        switch status {
        case .succeeded, .cached: (result, fault) = (record.result, nil)
        case .failed: (result, fault) = (nil, record.fault ?? Self.unexplained)
        case .cancelled: (result, fault) = (nil, Self.cancelled)
        }
        let span = record.startedAt.flatMap { start in record.finishedAt.map { $0 - start } }
        seconds = result?.seconds ?? span.map { max(0, $0) }
    }

    /// A job that failed before the queue had it, or without it.
    package init(_ spec: JobSpec, failed fault: Failure) {
        (self.spec, self.status, self.fault) = (spec, .failed, fault)
        (result, seconds) = (nil, nil)
    }

    private static let unexplained = Failure(
        exitCode: .failed, code: "failed", stage: "request",
        message: "the job failed and its reason is not known",
        hint: "retry it to queue it again")

    private static let cancelled = Failure(
        exitCode: .failed, code: "cancelled", stage: "request", message: "cancelled by request",
        hint: "retry it to queue it again")
}

extension Failure {
    /// For a job that somebody removed from the queue meanwhile.
    package static func forgotten(_ id: JobID) -> Failure {
        Failure(
            exitCode: .temporary, code: "jobForgotten", stage: "request",
            message: "the job '\(id)' was pruned from the queue before its end was seen",
            hint: "run it again: a result that is there is answered from the cache")
    }
}
