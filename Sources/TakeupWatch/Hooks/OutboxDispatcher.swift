/// What one hook is still to be told, one event after the other.
///
/// Confined to one lane. It decides; `deliver` acts.
public final class OutboxDispatcher {
    /// Between two looks while nothing waits.
    static let idleSeconds = 60.0
    /// After the database could not be used.
    static let brokenSeconds = 5.0

    private let hook: Hook
    private let folders: [String]
    private let ledger: WatchLedger
    private let duties: Duties
    private var pace = HookBackoff()
    /// What is over, and could not be noted so: it is not told again for that.
    private var over: HookMessage?
    private var isBroken = false

    /// What is done outside.
    public struct Duties {
        /// Tells the hook one event; it may take the hook's time-out.
        public var deliver: (HookMessage) -> HookAnswer
        /// From 0 up to 1.
        public var random: () -> Double
        public var tell: (HookNote) -> Void

        public init(
            deliver: @escaping (HookMessage) -> HookAnswer, random: @escaping () -> Double,
            tell: @escaping (HookNote) -> Void
        ) {
            (self.deliver, self.random, self.tell) = (deliver, random, tell)
        }
    }

    /// - Parameters:
    ///   - hook: Who is told.
    ///   - folders: What happened in others is left to other daemons.
    ///   - ledger: Where what is still to be told waits.
    ///   - duties: What is done outside.
    public init(_ hook: Hook, of folders: [String], in ledger: WatchLedger, duties: Duties) {
        (self.hook, self.folders, self.ledger, self.duties) = (hook, folders, ledger, duties)
    }

    /// Tells one event, if one is due.
    ///
    /// - Returns: After how many seconds to come again, unless something is recorded before.
    public func step() -> Double {
        do throws(WatchError) {
            let dropped = ledger.takeOverflow(of: hook)
            if dropped > 0 { duties.tell(.overflowed(events: dropped)) }
            let seconds = try deliverNext()
            let unread = ledger.takeUnread(of: hook)
            if unread != UnreadEvents() { duties.tell(.unreadable(unread)) }
            isBroken = false
            return seconds
        } catch {
            if !isBroken { duties.tell(.unavailable(error)) }
            isBroken = true
            return Self.brokenSeconds
        }
    }

    private func deliverNext() throws(WatchError) -> Double {
        if let over { try end(over) }
        let now = ledger.now()
        let rest = pace.restSeconds(now: now)
        guard rest == 0 else { return rest }
        guard let message = try ledger.nextMessage(to: hook, of: folders) else {
            return Self.idleSeconds
        }
        guard HookBackoff.isDue(message.dueAt, now: now) else {
            return min(message.dueAt - now, Self.idleSeconds)
        }
        return try deliver(message)
    }

    private func deliver(_ message: HookMessage) throws(WatchError) -> Double {
        switch duties.deliver(message) {
        case .delivered:
            pace.succeed()
            duties.tell(.delivered(message))
            try end(message)
        case .refused(let reason):
            pace.succeed()
            duties.tell(.givenUp(message, reason: reason))
            try end(message)
        case .failed(let reason, let asked):
            try fail(message, reason, asked)
        case .stopped:
            return Self.idleSeconds
        }
        return pace.restSeconds(now: ledger.now())
    }

    private func end(_ message: HookMessage) throws(WatchError) {
        over = message
        try ledger.finish(message)
        over = nil
    }

    private func fail(
        _ message: HookMessage, _ reason: String, _ asked: Double?
    ) throws(WatchError) {
        let again = pace.fail(message, asked: asked, now: ledger.now(), share: duties.random())
        guard let again else {
            duties.tell(.givenUp(message, reason: reason))
            try end(message)
            return
        }
        try ledger.postpone(message, because: reason, bySeconds: again)
        duties.tell(.failed(message, reason: reason, againInSeconds: again))
    }
}
