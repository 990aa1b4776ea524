package import TakeupWatch

extension WatchBacklog {
    /// What waits, for people; nil when nothing does.
    package var words: String? {
        let sources = actions.values.reduce(0, +)
        let parts = [
            Self.part(sources, "action on a source", "actions on sources"),
            Self.part(hookEvents, "hook event", "hook events"),
        ].compactMap(\.self)
        guard !parts.isEmpty else { return nil }
        let verb = sources + hookEvents == 1 ? "waits" : "wait"
        return "\(parts.joined(separator: " and ")) \(verb)"
    }

    private static func part(_ count: Int, _ one: String, _ many: String) -> String? {
        count == 0 ? nil : "\(count) \(count == 1 ? one : many)"
    }
}
