@testable import TakeupWatch

extension LedgerBench {
    /// Notes a file of a job with an event, and gives the event's id.
    @discardableResult
    func record(
        _ name: HookEvent.Name, job: String, to hooks: [Hook], folder: String = "/in"
    ) throws -> String {
        let file = Self.file("\(job).mov", job: job, folder: folder)
        let event = try HookEvent(name, of: file, at: now)
        try ledger.record(file, telling: [try OutboxEntry(event, to: hooks)])
        return event.id
    }

    /// What a hook is to be told next, if it is due.
    func due(_ hook: Hook, _ folders: [String] = ["/in"]) throws -> HookMessage? {
        let message = try ledger.nextMessage(to: hook, of: folders)
        return message.flatMap { $0.dueAt <= now ? $0 : nil }
    }
}
