internal import Foundation
internal import TakeupFiles

/// An open file of a source; closed when the object is deallocated.
final class StoredFile: Sendable {
    let descriptor: Int32
    /// The path, for messages.
    let path: String
    /// The errno with which every call fails; nil for an existing file.
    private let reason: Int32?

    /// Takes ownership of an open descriptor.
    init(_ descriptor: Int32, path: String) {
        (self.descriptor, self.path, reason) = (descriptor, path, nil)
    }

    private init(failing reason: Int32, path: String) {
        (descriptor, self.path, self.reason) = (-1, path, reason)
    }

    deinit {
        guard descriptor >= 0 else { return }
        FileLock.release(descriptor)
        close(descriptor)
    }

    /// A placeholder for a missing file; every call fails.
    static func none(path: String, errno reason: Int32 = EBADF) -> StoredFile {
        StoredFile(failing: reason, path: path)
    }

    private func requireOpen() throws(FetchError) {
        if let reason { throw .storage(path: path, errno: reason) }
    }

    var facts: StoredFacts? { StoredFacts(descriptor) }

    /// - Returns: The number of bytes; fewer than requested only at the end.
    func read(
        into target: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FetchError) -> Int {
        try requireOpen()
        var done = 0
        while done < target.count {
            let count = pread(
                descriptor, target.baseAddress.map { $0 + done }, target.count - done,
                off_t(offset) + off_t(done))
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw .storage(path: path, errno: errno)
            }
            done += count
        }
        return done
    }

    /// - Returns: The bytes; fewer than requested only at the end.
    func read(_ count: Int, at offset: Int64) throws(FetchError) -> [UInt8] {
        // An empty array is one place of the whole process, which the initializer below writes to.
        if count == 0 { return [] }
        var failure: FetchError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            do throws(FetchError) {
                filled = try read(into: UnsafeMutableRawBufferPointer(room), at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FetchError) {
        try requireOpen()
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done,
                off_t(offset) + off_t(done))
            if count < 0 {
                if errno == EINTR { continue }
                throw .storage(path: path, errno: errno)
            }
            done += count
        }
    }

    /// Syncs the file's bytes to disk, with the size that is needed to read them.
    func synchronize() throws(FetchError) {
        try requireOpen()
        guard fdatasync(descriptor) == 0 else { throw .storage(path: path, errno: errno) }
    }

    func truncate(to bytes: Int64) throws(FetchError) {
        try requireOpen()
        guard ftruncate(descriptor, off_t(bytes)) == 0 else {
            throw .storage(path: path, errno: errno)
        }
    }
}
