import TakeupFiles
import TakeupWatch

extension WatchLedger {
    /// Notes an action on a source that could not be done.
    func noteWaitingAction(in folder: String) throws {
        let identity = FileIdentity(
            device: 1, inode: 1, bytes: 1, modifiedNanoseconds: 1, changedNanoseconds: 1)
        let file = WatchedFile(
            folder: folder, path: "a.mov", identity: identity, fingerprint: "c", work: "w")
        let action = SourceAction(of: file, job: "j", kind: .move)
        try expect(action)
        try postpone(action, because: "read-only", bySeconds: 9)
    }
}
