/// An event, and the hooks that are to be told of it.
public struct OutboxEntry: Equatable, Sendable {
    public let event: HookEvent
    /// Their keys.
    public let hooks: [String]
    /// The event as it is sent.
    let body: String

    /// - Parameters:
    ///   - event: What happened.
    ///   - hooks: Those that do not want such an event are left out.
    /// - Throws: `WatchError.unreadable` for an event that has no JSON.
    public init(_ event: HookEvent, to hooks: [Hook]) throws(WatchError) {
        self.event = event
        self.hooks = hooks.filter { $0.events.contains(event.name) }.map(\.key)
        body = self.hooks.isEmpty ? "" : try event.json()
    }
}
