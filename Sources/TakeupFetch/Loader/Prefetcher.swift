internal import Dispatch
internal import TakeupLanes

/// Fetches what will be read next, one source after the other, while nobody fetches what is read now.
///
/// What fails is left to who reads it, and told in the log of its session (`SessionLog.Kind.prefetch`) alone. Calls may
/// come from any thread.
public final class Prefetcher: Sendable {
    /// Sources that are fetched ahead at most: what lies further away may never be wanted.
    public static let mostSources = 2
    /// Between two looks whether the live sessions rest.
    private static let lookSeconds = 0.25

    private let library: SourceLibrary
    private let limits: SourceLimits
    private let state = Locked(State())
    private let group = LaneGroup()
    private let bell = DispatchSemaphore(value: 0)

    private struct State {
        var wanted: [WantedSource] = []
        /// Those that are here, and those that failed or had no room.
        var done: Set<WantedSource> = []
        var isWorking = false
        var isStopped = false

        var next: WantedSource? { isStopped ? nil : wanted.first { !done.contains($0) } }
    }

    /// - Parameters:
    ///   - library: Whose live sessions come first.
    ///   - limits: Those of its store; nothing is let go for what is fetched ahead.
    public init(library: SourceLibrary, limits: SourceLimits) {
        (self.library, self.limits) = (library, limits)
    }

    /// Says what will be read next, the next one first, in place of what was said before.
    ///
    /// - Parameter sources: Those beyond `mostSources` are left out.
    public func want(_ sources: [WantedSource]) {
        let isNew = state.withLock { state in
            var wanted: [WantedSource] = []
            for source in sources where !wanted.contains(source) { wanted.append(source) }
            state.wanted = Array(wanted.prefix(Self.mostSources))
            // What comes back later is tried again.
            state.done.formIntersection(state.wanted)
            guard state.next != nil, !state.isWorking else { return false }
            state.isWorking = true
            return true
        }
        if isNew { group.start("takeup.prefetch") { [self] in run() } }
    }

    /// Ends it for good, and waits for that; what is here stays.
    public func stop() {
        state.withLock { $0.isStopped = true }
        bell.signal()
        group.wait()
    }

    private func run() {
        while let source = next() {
            if attempt(source) {
                state.withLock { _ = $0.done.insert(source) }
            } else {
                _ = bell.wait(timeout: .now() + Self.lookSeconds)
            }
        }
    }

    /// - Returns: nil when there is nothing to do; the thread then ends.
    private func next() -> WantedSource? {
        state.withLock { state in
            let next = state.next
            state.isWorking = next != nil
            return next
        }
    }

    /// - Returns: Whether there is nothing more to do for a source.
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
