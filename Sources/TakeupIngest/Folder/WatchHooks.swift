package import TakeupHooks
internal import TakeupLanes
package import TakeupWatch

/// What the hooks of a daemon are told of one folder's files, and who delivers it.
///
/// Confined to the folder's lane.
package final class WatchHooks {
    private let hooks: [Hook]
    private let delivery: OutboxDelivery?
    /// Seconds since 1970.
    private let now: @Sendable () -> Double
    private var hasNews = false

    /// - Parameters:
    ///   - hooks: All that are set.
    ///   - delivery: nil where there are none.
    ///   - now: Seconds since 1970.
    package init(
        _ hooks: [Hook], _ delivery: OutboxDelivery?, now: @escaping @Sendable () -> Double
    ) {
        (self.hooks, self.delivery, self.now) = (hooks, delivery, now)
    }

    /// What is told of a file, with what `change` adds; to be recorded with it.
    package func notices(
        _ name: HookEvent.Name, of file: WatchedFile, _ change: (inout HookEvent) -> Void = { _ in }
    ) throws(WatchError) -> [OutboxEntry] {
        guard !hooks.isEmpty else { return [] }
        var event = try HookEvent(name, of: file, at: now())
        change(&event)
        hasNews = true
        return [try OutboxEntry(event, to: hooks)]
    }

    /// What is told of a source.
    package func notices(
        _ action: SourceAction, _ outcome: SourceOutcome
    ) throws(WatchError) -> [OutboxEntry] {
        guard !hooks.isEmpty else { return [] }
        hasNews = true
        return [try OutboxEntry(HookEvent(action, outcome, at: now()), to: hooks)]
    }

    /// Has what was recorded since the last call delivered at once.
    package func wakeIfNeeded() {
        if hasNews { delivery?.wake() }
        hasNews = false
    }
}
