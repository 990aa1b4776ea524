internal import Foundation
internal import TakeupDigest
internal import TakeupFiles

extension LocalObjects {
    /// How often a name that changes meanwhile is looked at again.
    static let mostTries = 64

    public func open(_ object: ObjectName, bytes: Int64?) throws(CacheError) -> ObjectOpening {
        for _ in 0..<Self.mostTries {
            guard let folder = try objects.existingFolder(object.shard),
                let facts = try folder.facts(object.fileName)
            else {
                try requirePlace()
                return .missing
            }
            guard facts.isRegular else { return .damaged }
            guard let descriptor = try folder.openFile(object.fileName) else { continue }
            let file = ObjectFile(
                descriptor, object: object, path: path(of: object), bytes: facts.bytes)
            try lock(file)
            guard let named = try folder.facts(object.fileName),
                named == FileFacts(descriptor), named.bytes == facts.bytes
            else { continue }
            return bytes == nil || bytes == named.bytes ? .found(file) : .damaged
        }
        throw .file(operation: "open", path: path(of: object), errno: EAGAIN)
    }

    public func size(of object: ObjectName) throws(CacheError) -> Int64? {
        let facts = try objects.existingFolder(object.shard)?.facts(object.fileName)
        return facts?.isRegular == true ? facts?.bytes : nil
    }

    func lock(_ file: ObjectFile) throws(CacheError) {
        do throws(FileError) {
            try FileLock.wait(for: .shared, on: file.descriptor)
        } catch {
            throw .failing("lock", file.path, error)
        }
    }

    public func isWhole(_ file: ObjectFile) throws(CacheError) -> Bool {
        do throws(DigestError) {
            return try SHA256Digest.ofFile(file.descriptor) { false } == file.object.sha256
        } catch {
            switch error {
            // A disk that cannot give the bytes back has lost them.
            case .unreadable(EIO): return false
            case .unreadable(let reason): throw .failing("read", file.path, reason)
            case .outOfMemory: throw .failing("read", file.path, ENOMEM)
            }
        }
    }

    public func withSize<Value>(
        of object: ObjectName, _ body: (Int64?) throws(CacheError) -> Value
    ) throws(CacheError) -> Value {
        try withShard(object.shard) { (folder) throws(CacheError) in
            let facts = try folder.facts(object.fileName)
            return try body(facts?.isRegular == true ? facts?.bytes : nil)
        }
    }

    public func clear(_ object: ObjectName) throws(CacheError) {
        try clear(object) { _ in false }
    }

    /// Removes whatever is wrong under an object's name.
    ///
    /// `isWrong` judges the regular file that has the name now; anything else is moved to `quarantine` as it is.
    func clear(
        _ object: ObjectName, where isWrong: (FileFacts) -> Bool
    ) throws(CacheError) {
        try withShard(object.shard) { (folder) throws(CacheError) in
            guard let facts = try folder.facts(object.fileName) else { return }
            if !facts.isRegular {
                try folder.move(object.fileName, to: quarantine)
            } else if isWrong(facts) {
                try folder.unlink(object.fileName)
            }
        }
    }
}
