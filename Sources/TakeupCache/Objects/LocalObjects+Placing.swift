internal import Foundation
public import TakeupFiles

extension LocalObjects {
    public func place(
        _ staged: PartialFile, as object: ObjectName, isRecorded: Bool
    ) throws(CacheError) -> ObjectFile {
        let own = try seal(staged, object)
        for _ in 0..<Self.mostTries {
            if try link(staged, own) { return own }
            switch try open(object, bytes: own.bytes) {
            case .found(let file):
                if isRecorded { return file }
                if try isWhole(file) { return file }
                let bad = FileFacts(file.descriptor)
                try clear(object) { bad?.isSameFile(as: $0) ?? false }
            case .damaged: try clear(object) { $0.bytes != own.bytes }
            case .missing: continue
            }
        }
        throw .file(operation: "place", path: path(of: object), errno: EAGAIN)
    }

    /// Brings a staged file to the disk and holds it over a descriptor of its own, for reading.
    private func seal(
        _ staged: PartialFile, _ object: ObjectName
    ) throws(CacheError) -> ObjectFile {
        do throws(FileError) {
            try staged.synchronize()
        } catch {
            throw .failing("write", staging.path, error)
        }
        guard fchmod(staged.descriptor, 0o600) == 0 else {
            throw .failing("write", staging.path, errno)
        }
        // Copies of the first descriptor may live on in another process, with whatever lock it has.
        let descriptor = Foundation.open(
            "/proc/self/fd/\(staged.descriptor)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .failing("open", staging.path, errno) }
        let file = ObjectFile(
            descriptor, object: object, path: path(of: object), bytes: staged.byteCount)
        try lock(file)
        // From here on this lock alone counts: while the staged file had one, nobody could give the placed one up.
        FileLock.release(staged.descriptor)
        return file
    }

    /// - Returns: Whether the name leads to the staged file itself now.
    private func link(_ staged: PartialFile, _ own: ObjectFile) throws(CacheError) -> Bool {
        try withShard(own.object.shard) { (folder) throws(CacheError) in
            guard try folder.facts(own.object.fileName) == nil else { return false }
            do throws(FileError) {
                let placed = try staged.publish(
                    .fail, at: Self.path(in: folder, own.object.fileName))
                if placed.nameLossReason != nil { try Folder.synchronize(Self.path(in: folder)) }
            } catch {
                guard case .exists = error else { throw .failing("place", own.path, error) }
            }
            // On a file system that cannot link, a copy has the name.
            guard let named = try folder.facts(own.object.fileName),
                let facts = FileFacts(own.descriptor)
            else { return false }
            return named.isSameFile(as: facts)
        }
    }
}
