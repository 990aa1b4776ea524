internal import Dispatch
internal import TakeupFiles
internal import TakeupLanes

/// Somebody who waits for something of a source; woken once, by a semaphore of its own.
final class ReadWaiter: Sendable {
    enum Goal: Equatable {
        /// This byte is here, or the source ends before it.
        case byte(Int64)
        /// It is known what the source is.
        case known
        /// Every byte is here.
        case whole
    }

    let goal: Goal
    /// nil for who is no reader.
    let reader: Int?
    /// The only version that will do; nil for any.
    let generation: Int64?
    /// Waits ahead of time, and makes way for everybody else.
    let isPrefetch: Bool
    private let semaphore = DispatchSemaphore(value: 0)
    private let outcome = Locked<Result<Void, FetchError>?>(nil)

    init(
        _ goal: Goal, reader: Int? = nil, generation: Int64? = nil, isPrefetch: Bool = false
    ) {
        (self.goal, self.reader, self.generation) = (goal, reader, generation)
        self.isPrefetch = isPrefetch
    }

    /// Ends the wait; a second call changes nothing.
    func wake(_ result: Result<Void, FetchError>) {
        let isFirst = outcome.withLock { outcome in
            guard outcome == nil else { return false }
            outcome = result
            return true
        }
        if isFirst { semaphore.signal() }
    }

    /// - Returns: nil when the time was over first.
    func wait(seconds: Double) -> Result<Void, FetchError>? {
        guard semaphore.wait(timeout: .now() + seconds) == .success else { return nil }
        return outcome.withLock { $0 }
    }

    /// What it waits for is there, as far as these facts tell.
    func isMet(by status: SourceStatus, isTrusted: Bool) -> Bool {
        guard isTrusted else { return false }
        switch goal {
        case .byte(let offset):
            return status.present.prefixEnd(from: offset) > offset
                || status.length.map { offset >= $0 } ?? false
        case .known: return status.version != nil
        case .whole: return status.isComplete
        }
    }
}
