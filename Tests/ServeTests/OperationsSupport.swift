import TakeupJobs
import TakeupModel

extension QueueAccess {
    /// A queue whose database does not answer.
    static let broken: QueueAccess = {
        let failure = Failure(
            code: "databaseUnreachable", stage: "request", message: "nobody answers", hint: "",
            ending: .init(.unavailable, .retry))
        return QueueAccess(
            submit: { _ throws(Failure) in throw failure },
            place: { _ throws(Failure) in throw failure },
            settled: { _ throws(Failure) in throw failure },
            jobs: { _ throws(Failure) in throw failure },
            list: { _ throws(Failure) in throw failure },
            states: { _ throws(Failure) in throw failure },
            job: { _ throws(Failure) in throw failure },
            counts: { () throws(Failure) in throw failure },
            cancel: { _ throws(Failure) in throw failure },
            retry: { _ throws(Failure) in throw failure },
            prune: { _ throws(Failure) in throw failure },
            depth: { () throws(Failure) in throw failure })
    }()
}
