import TakeupFiles
import TakeupLanes
import TestSupport

@testable import TakeupWatch

/// A ledger in a folder of its own, at a time that the test sets.
struct HookBench: ~Copyable {
    let directory: TemporaryDirectory
    let time = Locked(1_000_000.0)
    let ledger: WatchLedger

    init() throws {
        let directory = try TemporaryDirectory()
        ledger = try WatchLedger(path: directory.file("state.db")) { [time] in
            time.withLock { $0 }
        }
        self.directory = directory
    }

    /// The same database as a later run sees it.
    func reopened() throws -> WatchLedger {
        try WatchLedger(path: directory.file("state.db")) { [time] in time.withLock { $0 } }
    }

    var now: Double { time.withLock { $0 } }

    func wait(_ seconds: Double) { time.withLock { $0 += seconds } }

    func file(
        _ path: String, job: String?, folder: String = "/in"
    ) -> WatchedFile {
        let identity = FileIdentity(
            device: 1, inode: 2, bytes: 3, modifiedNanoseconds: 4, changedNanoseconds: 5)
        var file = WatchedFile(
            folder: folder, path: path, identity: identity, fingerprint: "c", work: "w")
        (file.state, file.job) = (job == nil ? .skipped : .handed, job)
        return file
    }

    /// Notes a file of a job with an event, and gives the event's id.
    @discardableResult
    func record(
        _ name: HookEvent.Name, job: String, to hooks: [Hook], folder: String = "/in"
    ) throws -> String {
        let file = file("\(job).mov", job: job, folder: folder)
        let event = try HookEvent(name, of: file, at: now)
        try ledger.record(file, telling: [try HookNotice(event, to: hooks)])
        return event.id
    }

    /// What a hook is to be told next, if it is due.
    func due(_ hook: Hook, _ folders: [String] = ["/in"]) throws -> HookMessage? {
        let message = try ledger.nextMessage(to: hook, of: folders)
        return message.flatMap { $0.dueAt <= now ? $0 : nil }
    }
}
