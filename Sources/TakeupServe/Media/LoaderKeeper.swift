internal import Dispatch
internal import TakeupFetch
internal import TakeupLanes

/// Holds loaders for a while after their last request, so that a player that seeks finds its session.
final class LoaderKeeper: Sendable {
    static let keptSeconds = 30.0
    /// A session asks the origin only once: after so long, the next one asks again.
    static let longestSeconds = 300.0
    static let mostLoaders = 64

    private struct Kept {
        let loader: ResourceLoader
        let since: Double
        var until: Double
    }

    private struct State {
        var kept: [SourceKey: Kept] = [:]
        var isSweepDue = false
    }

    private let state = Locked(State())
    private let now: @Sendable () -> Double

    /// - Parameter now: Seconds of a clock that never goes back.
    init(now: @escaping @Sendable () -> Double) { self.now = now }

    var count: Int { state.withLock { $0.kept.count } }

    /// Notes that a request has ended.
    func keep(_ loader: ResourceLoader) {
        // What passes by the disk is to try the disk again.
        guard !loader.holdings.isPassing else { return drop([loader.key]) }
        let time = now()
        let since = state.withLock { $0.kept[loader.key]?.since } ?? time
        guard time - since < Self.longestSeconds else { return drop([loader.key]) }
        let (oldest, isSweepDue) = state.withLock { state -> (SourceKey?, Bool) in
            state.kept[loader.key] = Kept(
                loader: loader, since: since, until: time + Self.keptSeconds)
            defer { state.isSweepDue = true }
            guard state.kept.count > Self.mostLoaders else { return (nil, !state.isSweepDue) }
            return (state.kept.min { $0.value.until < $1.value.until }?.key, !state.isSweepDue)
        }
        if let oldest { drop([oldest]) }
        if isSweepDue { sweepLater() }
    }

    /// Lets go of what nobody has asked for lately.
    func sweep() {
        let time = now()
        drop(state.withLock { $0.kept.filter { $0.value.until <= time }.map(\.key) })
    }

    /// Lets go of one loader at once.
    func release(_ key: SourceKey) { drop([key]) }

    private func sweepLater() {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.keptSeconds) { [weak self] in
            guard let self else { return }
            sweep()
            let isLeft = state.withLock { state in
                state.isSweepDue = !state.kept.isEmpty
                return state.isSweepDue
            }
            if isLeft { sweepLater() }
        }
    }

    private func drop(_ keys: [SourceKey]) {
        // The end of a session writes to the disk: not under the lock.
        let gone = state.withLock { state in keys.compactMap { state.kept.removeValue(forKey: $0) }
        }
        withExtendedLifetime(gone) {}
    }
}
