internal import TakeupModel

extension JobRecord {
    /// Why the cache holds no result of the job, as the end of a sentence, and what helps.
    package var noResult: (reason: String, hint: String) {
        let again = "a retry of the job makes the result again"
        return switch state {
        case .queued, .scheduled: ("which has not run yet", "wait for its end")
        case .running: ("which still runs", "wait for its end")
        case .failed: ("which has failed", again)
        case .quarantined: ("which crashed too often", again)
        case .cancelled: ("which was cancelled", again)
        case .succeeded, .cached:
            ("whose result has expired, was removed, or was damaged and put aside", again)
        }
    }
}
