internal import TakeupLanes

/// Fetches the sources that will be read next, one after the other, while no live session fetches.
///
/// A failed prefetch is only noted in its session's log (`SessionLog.Kind.prefetch`); the later
/// reader deals with the failure. Call from any thread.
public final class Prefetcher: Sendable {
    /// Highest number of sources to prefetch: sources further ahead may never be wanted.
    public static let mostSources = 2
    /// Seconds between two checks whether the live sessions are idle.
    private static let lookSeconds = 0.25

    private let library: SourceLibrary
    private let limits: SourceLimits
    private let state = Locked(State())
    private let group = LaneGroup()
    private let bell = Bell()

    private struct State {
        var wanted: [WantedSource] = []
        /// Sources that are complete, failed or had no room.
        var done: Set<WantedSource> = []
        var isWorking = false
        var isStopped = false

        var next: WantedSource? { isStopped ? nil : wanted.first { !done.contains($0) } }
    }

    /// - Parameters:
    ///   - library: The library; its live sessions have priority.
    ///   - limits: Limits of the library's store; a prefetch evicts nothing.
    public init(library: SourceLibrary, limits: SourceLimits) {
        (self.library, self.limits) = (library, limits)
    }

    /// Sets the sources that will be read next, the nearest first; replaces the previous list.
    ///
    /// - Parameter sources: Sources beyond the first `mostSources` are ignored.
    public func want(_ sources: [WantedSource]) {
        let isNew = state.withLock { state in
            var wanted: [WantedSource] = []
            for source in sources where !wanted.contains(source) { wanted.append(source) }
            state.wanted = Array(wanted.prefix(Self.mostSources))
            // Forget sources that are no longer wanted, so that they are tried again if they
            // return.
            state.done.formIntersection(state.wanted)
            guard state.next != nil, !state.isWorking else { return false }
            state.isWorking = true
            return true
        }
        if isNew { group.start("takeup.prefetch") { [self] in run() } }
    }

    /// Stops the prefetcher permanently and waits for its end; stored bytes stay.
    public func stop() {
        state.withLock { $0.isStopped = true }
        bell.ring()
        group.wait()
    }

    private func run() {
        while let source = next() {
            if attempt(source) {
                state.withLock { _ = $0.done.insert(source) }
            } else {
                bell.wait(seconds: Self.lookSeconds)
            }
        }
    }

    /// - Returns: nil if there is nothing to do; the thread then ends.
    private func next() -> WantedSource? {
        state.withLock { state in
            let next = state.next
            state.isWorking = next != nil
            return next
        }
    }

    /// - Returns: Whether the source needs no more work.
    private func attempt(_ source: WantedSource) -> Bool {
        do throws(FetchError) {
            let end = try library.prefetch(source, within: limits) {
                state.withLock { $0.next != source }
            }
            return end != .gaveWay
        } catch {
            return error != .cancelled
        }
    }
}
