import Foundation
import TakeupCache
import TakeupDigest
import TakeupFiles
import TakeupLanes

/// Objects that lie elsewhere, as in a bucket: known by their names and bytes, opened as copies.
///
/// Nothing outside of this file knows it: the cache works on any store.
final class BucketObjects: ObjectStore {
    let path: String
    let isReadOnly = false
    private let bucket = Locked<[ObjectName: [UInt8]]>([:])
    private let setAside = Locked<[ObjectName: [UInt8]]>([:])

    /// - Parameter path: A folder for files on their way.
    init(path: String) { self.path = path }

    var names: [ObjectName] { bucket.withLock { Array($0.keys) } }

    /// Changes what is there, as a fault of the store would.
    func damage(_ object: ObjectName, _ bytes: [UInt8]?) { bucket.withLock { $0[object] = bytes } }

    func requirePlace() {}

    func path(of object: ObjectName) -> String { "bucket:\(object.fileName)" }

    func freeBytes() -> Int64 { .max }

    func stage() throws(CacheError) -> PartialFile {
        do throws(FileError) {
            return try PartialFile(for: "\(path)/staged")
        } catch {
            throw .file(operation: "stage", path: path, errno: EIO)
        }
    }

    func place(
        _ staged: PartialFile, as object: ObjectName, isRecorded: Bool
    ) throws(CacheError) -> ObjectFile {
        let bytes = try Self.bytes(staged.descriptor, Int(staged.byteCount))
        bucket.withLock { if $0[object] == nil || !isRecorded { $0[object] = bytes } }
        return try copy(bytes, object)
    }

    func open(_ object: ObjectName, bytes: Int64?) throws(CacheError) -> ObjectOpening {
        guard let found = bucket.withLock({ $0[object] }) else { return .missing }
        guard bytes == nil || bytes == Int64(found.count) else { return .damaged }
        return .found(try copy(found, object))
    }

    func isWhole(_ file: ObjectFile) -> Bool {
        (try? SHA256Digest.ofFile(file.descriptor) { false }) == file.object.sha256
    }

    func bringBack(_ object: ObjectName, bytes: Int64) -> Bool {
        guard let kept = setAside.withLock({ $0[object] }), Int64(kept.count) == bytes,
            bucket.withLock({ $0[object] }) == nil
        else { return false }
        damage(object, kept)
        setAside.withLock { $0[object] = nil }
        return true
    }

    func withSize<Value>(
        of object: ObjectName, _ body: (Int64?) throws(CacheError) -> Value
    ) throws(CacheError) -> Value {
        try body(bucket.withLock { $0[object].map { Int64($0.count) } })
    }

    func remove(
        _ object: ObjectName, _ disposal: ObjectDisposal, if decide: () throws(CacheError) -> Bool,
        unless isClaimed: () throws(CacheError) -> Bool
    ) throws(CacheError) -> ObjectRemoval {
        guard let bytes = bucket.withLock({ $0[object] }) else { return .missing }
        guard try decide(), try !isClaimed() else { return .kept }
        if disposal == .setAside { setAside.withLock { $0[object] = bytes } }
        damage(object, nil)
        return .removed
    }

    func discard(
        _ file: ObjectFile, unless isClaimed: () throws(CacheError) -> Bool
    ) throws(CacheError) {
        if try !isClaimed() { damage(file.object, nil) }
    }

    func setAside(_ file: ObjectFile, _ drop: () throws(CacheError) -> Void) throws(CacheError) {
        damage(file.object, nil)
        try drop()
    }

    func clear(_ object: ObjectName) {}

    func freesSpace(_ object: ObjectName) -> Bool { true }

    func orphanSizes() -> (count: Int, bytes: Int64) {
        setAside.withLock { ($0.count, $0.values.reduce(0) { $0 + Int64($1.count) }) }
    }

    func reconcile(with manifest: Manifest) throws(CacheError) -> Reconciliation {
        var result = Reconciliation()
        for entry in try manifest.entries() {
            result.entries += 1
            if bucket.withLock({ $0[entry.object] }) == nil,
                bringBack(entry.object, bytes: entry.bytes)
            {
                result.restored += 1
            }
        }
        return result
    }

    private static func bytes(_ descriptor: Int32, _ count: Int) throws(CacheError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard pread(descriptor, &bytes, count, 0) == count else {
            throw .file(operation: "read", path: "staged", errno: errno)
        }
        return bytes
    }

    /// Every reader has a file of its own.
    private func copy(_ bytes: [UInt8], _ object: ObjectName) throws(CacheError) -> ObjectFile {
        let name = "\(path)/\(UUID().uuidString)"
        let descriptor = Foundation.open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw .file(operation: "write", path: name, errno: errno)
        }
        unlink(name)
        return ObjectFile(
            descriptor, object: object, path: "/proc/self/fd/\(descriptor)",
            bytes: Int64(bytes.count))
    }
}
