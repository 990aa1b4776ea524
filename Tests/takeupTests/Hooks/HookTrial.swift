import Foundation
import TakeupFiles
import TakeupLanes
import TakeupWatch
import TestSupport

/// A ledger in a folder of its own, at a time that the test sets.
struct HookTrial: ~Copyable {
    let directory: TemporaryDirectory
    let time = Locked(1_700_000_000.0)
    let ledger: WatchLedger

    init() throws {
        let directory = try TemporaryDirectory()
        ledger = try WatchLedger(path: directory.file("state.db")) { [time] in
            time.withLock { $0 }
        }
        self.directory = directory
    }

    var now: Double { time.withLock { $0 } }

    func wait(_ seconds: Double) { time.withLock { $0 += seconds } }

    /// Notes a file with an event about it.
    func record(
        _ name: HookEvent.Name, _ path: String = "a.mov", job: String = "j", to hooks: [Hook],
        fault: HookEvent.Fault? = nil
    ) throws {
        let identity = FileIdentity(
            device: 1, inode: 2, bytes: 3, modifiedNanoseconds: 4, changedNanoseconds: 5)
        var file = WatchedFile(
            folder: "/in", path: path, identity: identity, fingerprint: "c", work: "w")
        (file.state, file.job) = (.handed, job)
        var event = try HookEvent(name, of: file, at: now)
        event.output = .init(path: "/out/\(path).mp4", bytes: 9, sha256: "ab", duration: 1)
        event.fault = fault
        try ledger.record(file, telling: [try OutboxEntry(event, to: hooks)])
    }

    /// What a hook is to be told next.
    func message(_ hook: Hook) throws -> HookMessage? {
        try ledger.nextMessage(to: hook, of: ["/in"])
    }

    func text(_ name: String) throws -> String {
        try String(contentsOfFile: directory.file(name), encoding: .utf8)
    }
}
