import TakeupJobs

/// How a worker says that an attempt ended.
enum ModelEnding {
    case succeeded, cached, failed, hopeless, crashed, returned, delayed, cancelled

    static let all: [ModelEnding] = [
        .succeeded, .cached, .failed, .hopeless, .crashed, .returned, .delayed, .cancelled,
    ]
    static let delaySeconds = 45.0

    var event: JobStateMachine.Event {
        switch self {
        case .succeeded: .succeeded
        case .cached: .answeredFromCache
        case .failed: .failed(retryable: true)
        case .hopeless: .failed(retryable: false)
        case .crashed: .crashed
        case .returned: .returned(isDelayed: false)
        case .delayed: .returned(isDelayed: true)
        case .cancelled: .stopped
        }
    }

    var outcome: JobOutcome {
        switch self {
        case .succeeded: .succeeded(StoreTrial.result)
        case .cached: .cached(StoreTrial.result)
        case .failed: .failed(StoreTrial.fault, retryable: true)
        case .hopeless: .failed(StoreTrial.fault, retryable: false)
        case .crashed: .crashed(StoreTrial.fault)
        case .returned: .returned(note: nil, delaySeconds: 0)
        case .delayed: .returned(note: "full", delaySeconds: Self.delaySeconds)
        case .cancelled: .cancelled
        }
    }
}
