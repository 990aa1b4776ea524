internal import Foundation
internal import TakeupFiles

extension CacheDirectory {
    /// How the removal of a file ended.
    enum Removal {
        case removed
        /// Somebody holds it.
        case inUse
        /// A row names it, or nothing has the name.
        case kept
    }

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

    /// What becomes of a file that no row names.
    enum Disposal {
        /// For what this process has made, or taken the row from.
        case unlinked
        /// For everything else: somebody may miss it.
        case setAside
    }

    /// Removes a file that nobody holds and no row names.
    ///
    /// `isClaimed`, whether a row names it, is asked while nobody can record it.
    func remove(
        _ object: ObjectName, _ disposal: Disposal = .unlinked,
        isClaimed: () throws(CacheError) -> Bool
    ) throws(CacheError) -> Removal {
        guard let folder = try objects.existingFolder(object.shard),
            try folder.facts(object.fileName)?.isRegular == true
        else { return .kept }
        guard let hold = try seize(object.fileName, in: folder) else { return .inUse }
        defer { withExtendedLifetime(hold) {} }
        return try remove(object, held: hold.descriptor, disposal, isClaimed: isClaimed)
    }

    /// Removes a file on which `descriptor` has the exclusive lock, unless a row names it.
    func remove(
        _ object: ObjectName, held descriptor: Int32, _ disposal: Disposal = .unlinked,
        isClaimed: () throws(CacheError) -> Bool
    ) throws(CacheError) -> Removal {
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

    /// Gives a file that was set aside its name among the objects back, where a row names it and no file has it.
    ///
    /// - Parameters:
    ///   - object: Its name.
    ///   - bytes: The size that the row says.
    /// - Returns: Whether it was there.
    /// - Throws: `CacheError` when the directory cannot be read or written.
    func bringBack(_ object: ObjectName, bytes: Int64) throws(CacheError) -> Bool {
        guard let facts = try orphans.facts(object.fileName), facts.isRegular,
            facts.bytes == bytes
        else { return false }
        return try withShard(object.shard) { (folder) throws(CacheError) in
            guard try orphans.moveKeepingName(object.fileName, to: folder) else { return false }
            try folder.synchronize()
            return true
        }
    }

    /// Gives up a file that was placed; it goes when nobody else holds it and no row names it.
    func discard(
        _ file: ObjectFile, isClaimed: () throws(CacheError) -> Bool
    ) throws(CacheError) {
        do throws(FileError) {
            guard try FileLock.acquire(.exclusive, on: file.descriptor) else { return }
        } catch {
            throw .failing("lock", file.path, error)
        }
        _ = try remove(file.object, held: file.descriptor, isClaimed: isClaimed)
        FileLock.release(file.descriptor)
    }
}
