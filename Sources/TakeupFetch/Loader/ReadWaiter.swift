internal import TakeupFiles
internal import TakeupLanes

/// A caller that waits for a goal of a source; its own bell wakes it once.
final class ReadWaiter: Sendable {
    enum Goal: Equatable {
        /// This byte is present, or the source ends before it.
        case byte(Int64)
        /// The bytes of this range are present, as far as the source has them.
        case range(Range<Int64>)
        /// The facts about the source are known.
        case known
        /// Every byte is present.
        case whole
    }

    let goal: Goal
    /// The reader's number; nil if no reader waits.
    let reader: Int?
    /// The only acceptable generation; nil for any.
    let generation: Int64?
    /// The wait belongs to a prefetch and gives way to everybody else.
    let isPrefetch: Bool
    private let bell = Bell()
    private let outcome = Locked<Result<Void, FetchError>?>(nil)

    init(
        _ goal: Goal, reader: Int? = nil, generation: Int64? = nil, isPrefetch: Bool = false
    ) {
        (self.goal, self.reader, self.generation) = (goal, reader, generation)
        self.isPrefetch = isPrefetch
    }

    /// Ends the wait; a second call has no effect.
    func wake(_ result: Result<Void, FetchError>) {
        let isFirst = outcome.withLock { outcome in
            guard outcome == nil else { return false }
            outcome = result
            return true
        }
        if isFirst { bell.ring() }
    }

    /// - Returns: The result; nil if the time ran out first.
    func wait(seconds: Double) -> Result<Void, FetchError>? {
        guard bell.wait(seconds: seconds) else { return nil }
        return outcome.withLock { $0 }
    }

    /// Returns whether the goal is met according to a status.
    func isMet(by status: SourceStatus, isTrusted: Bool) -> Bool {
        guard isTrusted else { return false }
        switch goal {
        case .byte(let offset):
            return status.present.prefixEnd(from: offset) > offset
                || status.length.map { offset >= $0 } ?? false
        case .range(let range):
            return status.version != nil
                && status.present.prefixEnd(from: range.lowerBound)
                    >= min(range.upperBound, status.length ?? .max)
        case .known: return status.version != nil
        case .whole: return status.isComplete
        }
    }
}
