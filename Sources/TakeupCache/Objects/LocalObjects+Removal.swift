internal import Foundation
internal import TakeupFiles

extension LocalObjects {
    /// An exclusive hold on a file, under which nobody reads or records it.
    final class ExclusiveHold {
        let descriptor: Int32

        init(_ descriptor: Int32) {
            self.descriptor = descriptor
        }

        deinit {
            FileLock.release(descriptor)
            close(descriptor)
        }
    }

    /// Takes a file for itself, without waiting.
    ///
    /// - Returns: nil when somebody holds it.
    func seize(_ name: String, in folder: FolderHandle) throws(CacheError) -> ExclusiveHold? {
        guard let descriptor = try folder.openFile(name) else { return nil }
        let hold = ExclusiveHold(descriptor)
        do throws(FileError) {
            return try FileLock.acquire(.exclusive, on: descriptor) ? hold : nil
        } catch {
            throw .failing("lock", "\(folder.path)/\(name)", error)
        }
    }

    public func remove(
        _ object: ObjectName, _ disposal: ObjectDisposal, if decide: () throws(CacheError) -> Bool,
        unless isClaimed: () throws(CacheError) -> Bool
    ) throws(CacheError) -> ObjectRemoval {
        guard let folder = try objects.existingFolder(object.shard),
            try folder.facts(object.fileName)?.isRegular == true
        else {
            try requirePlace()
            return .missing
        }
        guard let hold = try seize(object.fileName, in: folder) else { return .inUse }
        defer { withExtendedLifetime(hold) {} }
        guard try decide() else { return .kept }
        return try remove(object, held: hold.descriptor, disposal, unless: isClaimed)
    }

    /// Removes a file on which `descriptor` has the exclusive lock, unless a row names it.
    private func remove(
        _ object: ObjectName, held descriptor: Int32, _ disposal: ObjectDisposal,
        unless isClaimed: () throws(CacheError) -> Bool
    ) throws(CacheError) -> ObjectRemoval {
        try withShard(object.shard) { (folder) throws(CacheError) in
            guard let held = FileFacts(descriptor),
                let named = try folder.facts(object.fileName), named.isSameFile(as: held),
                try !isClaimed()
            else { return .kept }
            switch disposal {
            case .unlinked: try folder.unlink(object.fileName)
            case .setAside:
                if try !folder.moveKeepingName(object.fileName, to: orphans) {
                    try folder.move(object.fileName, to: quarantine)
                }
            }
            return .removed
        }
    }

    public func bringBack(_ object: ObjectName, bytes: Int64) throws(CacheError) -> Bool {
        guard let facts = try orphans.facts(object.fileName), facts.isRegular,
            facts.bytes == bytes
        else { return false }
        return try withShard(object.shard) { (folder) throws(CacheError) in
            guard try orphans.moveKeepingName(object.fileName, to: folder) else { return false }
            try folder.synchronize()
            return true
        }
    }

    public func discard(
        _ file: ObjectFile, unless isClaimed: () throws(CacheError) -> Bool
    ) throws(CacheError) {
        do throws(FileError) {
            guard try FileLock.acquire(.exclusive, on: file.descriptor) else { return }
        } catch {
            throw .failing("lock", file.path, error)
        }
        defer { FileLock.release(file.descriptor) }
        _ = try remove(file.object, held: file.descriptor, .unlinked, unless: isClaimed)
    }

    public func setAside(
        _ file: ObjectFile, _ drop: () throws(CacheError) -> Void
    ) throws(CacheError) {
        let bad = FileFacts(file.descriptor)
        try withShard(file.object.shard) { (folder) throws(CacheError) in
            // Another process may have put a good file in its place.
            guard let bad, try folder.facts(file.object.fileName)?.isSameFile(as: bad) == true
            else { return }
            // Those who read it go on reading it; its name must not stay. Moved, and first: a disk that gives
            // nothing back for now, because it is not there, refuses that, and then nothing is lost.
            try folder.move(file.object.fileName, to: quarantine)
            try drop()
        }
    }

    public func freesSpace(_ object: ObjectName) throws(CacheError) -> Bool {
        guard let folder = try objects.existingFolder(object.shard),
            let facts = try folder.facts(object.fileName)
        else { return true }
        return facts.links <= 1
    }
}
