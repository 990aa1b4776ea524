internal import TakeupModel
package import TakeupTelemetry
package import TakeupWatch

/// Tells the log how events reach a hook.
package struct HookLog {
    private let log: Log
    private let hook: Hook

    package init(_ log: Log, _ hook: Hook) {
        (self.log, self.hook) = (log, hook)
    }

    package func tell(_ note: HookNote) {
        switch note {
        case .delivered(let message): say(.debug, "was told", message)
        case .failed(let message, let reason, let seconds):
            say(.warning, "is told again in \(Timestamp.span(seconds)): \(reason)", message)
        case .givenUp(let message, let reason):
            say(.error, "is not told any more: \(reason)", message)
        case .overflowed(let events):
            log.record(
                .error,
                "hook \(hook.label): the oldest \(events) events were dropped, too many wait")
        case .unreadable(let events):
            log.record(
                .error,
                "hook \(hook.label): another version of takeup has recorded events that this one cannot read",
                [LogField("kept", events.kept), LogField("dropped", events.dropped)])
        case .unavailable(let error):
            log.record(.error, "hook \(hook.label): \(Failure(error).message)")
        }
    }

    private func say(_ level: LogLevel, _ words: String, _ message: HookMessage) {
        log.record(
            level, "hook \(hook.label) \(words)",
            [
                LogField("event", message.event.type), LogField("id", message.event.id),
                LogField("path", message.event.path), LogField("tries", message.tries + 1),
            ])
    }
}
