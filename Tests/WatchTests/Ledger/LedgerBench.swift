import TakeupFiles
import TakeupLanes
import TestSupport

@testable import TakeupWatch

/// A ledger in a folder of its own, at a time that the test sets.
struct LedgerBench: ~Copyable {
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

    static func identity(_ inode: Int64, bytes: Int64 = 10) -> FileIdentity {
        FileIdentity(
            device: -1, inode: inode, bytes: bytes, modifiedNanoseconds: 1 << 60,
            changedNanoseconds: (1 << 60) + 1)
    }

    /// A file as it is known: one that was handed, or one that was skipped where there is no job.
    static func file(
        _ path: String, _ inode: Int64 = 1, content: String = "c1", job: String? = "j1",
        folder: String = "/in"
    ) -> WatchedFile {
        var file = WatchedFile(
            folder: folder, path: path, identity: identity(inode), fingerprint: content, work: "w")
        (file.state, file.job) = (job == nil ? .skipped : .handed, job)
        return file
    }
}
