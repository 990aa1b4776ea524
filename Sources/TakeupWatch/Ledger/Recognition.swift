internal import TakeupFiles

/// Whether a file that has settled is new, or known by its content under this name or another.
public enum Recognition: Equatable, Sendable {
    /// Nothing is to be made of it.
    case known(WatchedFile)
    /// It has been renamed or moved; what became of it goes along.
    case moved(WatchedFile)
    case new

    /// What a file with a known content is, when something else than then is to be made of it.
    public enum WorkChange: String, Sendable, CaseIterable {
        case export, ignore
    }

    /// Recognizes a file by its content, so that neither a rename nor a touch nor a copy back has it encoded again.
    ///
    /// A copy beside its original is new: it gets an output of its own, which the cache may answer. So is one of an
    /// original that was moved away or removed once it was done: who sends the same content again waits for an output.
    ///
    /// - Parameters:
    ///   - file: Where and how it lies, and what is to be made of it now.
    ///   - hasOtherNames: Whether other hard links lead to it.
    ///   - twins: All files that are known to have its content, the latest one first.
    ///   - change: What another `work` means.
    ///   - isThere: Whether a name of a twin still leads to a file.
    /// - Throws: What `isThere` throws when that cannot be told.
    public init<Unknown>(
        _ file: WatchedFile, hasOtherNames: Bool, among twins: [WatchedFile],
        on change: WorkChange, isThere: (String) throws(Unknown) -> Bool
    ) throws(Unknown) {
        let candidates = twins.filter { twin in
            twin.state != .skipped
                && (twin.work == file.work || twin.work == WatchedFile.ownOutput
                    || change == .ignore && !twin.work.isEmpty)
        }
        // By their bytes: a disk may hold names that are the same to people.
        if let same = candidates.first(where: { $0.path.utf8.elementsEqual(file.path.utf8) }) {
            self = .known(same)
            return
        }
        for twin in candidates where Self.mayHaveBecome(file.identity, hasOtherNames, twin) {
            guard try isThere(twin.path) else {
                self = .moved(twin)
                return
            }
        }
        self = .new
    }

    /// Whether a file may be one that had another name, rather than one like it.
    private static func mayHaveBecome(
        _ identity: FileIdentity, _ hasOtherNames: Bool, _ twin: WatchedFile
    ) -> Bool {
        switch twin.acted {
        case nil: true
        // Its place on the disk may be the next file's.
        case .delete: false
        // Disks have other numbers after a restart; an inode does not. Another link to it may be the one that was moved away.
        case .move, .trash, .replace, .setAside:
            !hasOtherNames && twin.identity.inode == identity.inode
                && twin.identity.modifiedNanoseconds == identity.modifiedNanoseconds
        }
    }
}
