internal import Dispatch
internal import TakeupFetch
internal import TakeupFiles
internal import TakeupLanes
internal import TakeupModel

/// Holds loaders for a while after their last request, so that a player that seeks finds its session.
final class LoaderKeeper: Sendable {
    static let keptSeconds = 30.0
    /// A session asks the origin only once: after so long, the next one asks again.
    static let longestSeconds = 300.0
    static let mostLoaders = 64
    /// Descriptors of the process's limit for each loader: what it holds, and as many again and more for what is read.
    private static let filesPerLoader = 24

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
    private let most: Int

    /// - Parameters:
    ///   - openFiles: How many files the process may have open; a loader holds about six.
    ///   - now: Seconds of a clock that never goes back.
    init(openFiles: Int = OpenFileLimit.current, now: @escaping @Sendable () -> Double) {
        self.now = now
        most = max(1, min(Self.mostLoaders, openFiles / Self.filesPerLoader))
    }

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
            guard state.kept.count > most else { return (nil, !state.isSweepDue) }
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

    /// Lets go of all loaders, for their files.
    ///
    /// - Returns: Whether there was one.
    func releaseAll() -> Bool {
        let keys = state.withLock { Array($0.kept.keys) }
        drop(keys)
        return !keys.isEmpty
    }

    /// Runs what opens files, once more without the loaders that only wait where no file could be opened.
    func freeingFiles<Value>(_ body: () throws(Refusal) -> Value) throws(Refusal) -> Value {
        do throws(Refusal) {
            return try body()
        } catch {
            guard error.failure.code == Refusal.tooManyFiles.failure.code, releaseAll() else {
                throw error
            }
            return try body()
        }
    }

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
