import TakeupLanes
import TakeupWatch

/// What the hooks of a daemon are told of one folder's files, and who delivers it.
///
/// Confined to the folder's lane.
final class WatchHooks {
    private let hooks: [Hook]
    private let delivery: HookDelivery?
    /// Seconds since 1970.
    private let now: @Sendable () -> Double
    private var hasNews = false

    /// - Parameters:
    ///   - hooks: All that are set.
    ///   - delivery: nil where there are none.
    ///   - now: Seconds since 1970.
    init(_ hooks: [Hook], _ delivery: HookDelivery?, now: @escaping @Sendable () -> Double) {
        (self.hooks, self.delivery, self.now) = (hooks, delivery, now)
    }

    /// What is told of a file, with what `change` adds; to be recorded with it.
    func notices(
        _ name: HookEvent.Name, of file: WatchedFile, _ change: (inout HookEvent) -> Void = { _ in }
    ) throws(WatchError) -> [HookNotice] {
        guard !hooks.isEmpty else { return [] }
        var event = try HookEvent(name, of: file, at: now())
        change(&event)
        hasNews = true
        return [try HookNotice(event, to: hooks)]
    }

    /// What is told of a source.
    func notices(
        _ action: SourceAction, _ outcome: SourceOutcome
    ) throws(WatchError) -> [HookNotice] {
        guard !hooks.isEmpty else { return [] }
        hasNews = true
        return [try HookNotice(HookEvent(action, outcome, at: now()), to: hooks)]
    }

    /// Has what was recorded since the last call delivered at once.
    func wakeIfNeeded() {
        if hasNews { delivery?.wake() }
        hasNews = false
    }
}
