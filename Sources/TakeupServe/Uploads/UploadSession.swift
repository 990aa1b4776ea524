internal import Foundation
internal import TakeupDigest
internal import TakeupFiles
internal import TakeupLanes
internal import TakeupModel

/// One upload's bytes on their way to the disk.
///
/// The request that came last writes: what an earlier one still sends is refused, for its client has given it up. Only the
/// request that began an upload is not overtaken: its client alone knows of the upload, and has no way to go on with it.
final class UploadSession: Sendable {
    /// Bytes between two looks at the disk's free space.
    private static let roomStep: Int64 = 64 << 20

    private struct State {
        /// Locked against the servers of other processes.
        var descriptor: Int32 = -1
        /// What the file was when this process closed it last; nil before that.
        var left: FileIdentity?
        var upload: Upload?
        var offset: Int64 = 0
        /// Of the request that may write.
        var turn = 0
        /// Whether the request that writes has begun the upload.
        var isOwned = false
        /// Of the first `digested` bytes.
        var digest: RunningDigest?
        var digested: Int64 = 0
        var checkedRoom: Int64 = 0
    }

    private let store: UploadStore
    private let state = Locked(State())

    init(_ store: UploadStore) { self.store = store }

    /// Whether a request writes.
    var isOpen: Bool { state.withLock { $0.descriptor >= 0 } }

    /// Lets a request write from now on.
    ///
    /// - Parameters:
    ///   - id: The upload.
    ///   - offset: Where the client believes to be.
    ///   - isHeld: Whether the bytes count only after `end`, for a checksum must be compared first.
    ///   - isNew: Whether the request has begun the upload.
    /// - Returns: What the request writes with.
    /// - Throws: With 404 for one that is not there, 409 for another offset, 423 while the request that has begun it writes.
    func begin(
        _ id: String, at offset: Int64, isHeld: Bool, isNew: Bool = false
    ) throws(Refusal) -> Int {
        try state.withLock { (state) throws(Refusal) in
            guard !state.isOwned else { throw Self.owned }
            let isOpened = state.descriptor < 0
            guard try isOpened ? open(id, &state) : true else { throw Self.locked }
            do throws(Refusal) {
                guard let stored = try store.find(id) else { throw .noUpload(id) }
                guard stored.offset == offset else { throw Self.wrong(offset, stored.offset) }
                (state.upload, state.offset) = (stored.upload, stored.offset)
                // Nothing can be written any more, and the request that wrote the last byte may still have to answer.
                guard !stored.upload.isComplete else { return state.turn }
            } catch {
                if isOpened { Self.close(&state) }
                throw error
            }
            state.turn += 1
            if state.digested > state.offset { Self.restart(&state) }
            state.isOwned = isNew
            do throws(Refusal) {
                try hold(isHeld ? offset : nil, &state)
            } catch {
                Self.close(&state)
                throw error
            }
            return state.turn
        }
    }

    /// Completes an upload whose bytes are all there, unless a request writes.
    ///
    /// - Returns: What is there then; nil for one that is not there.
    func settle(_ id: String) throws(Refusal) -> StoredUpload? {
        try state.withLock { (state) throws(Refusal) in
            guard let stored = try store.find(id) else { return nil }
            guard stored.isReady, state.descriptor < 0, try open(id, &state) else { return stored }
            state.turn += 1
            do throws(Refusal) {
                // Another server may have written before this one had the lock.
                guard let stored = try store.find(id) else { throw .noUpload(id) }
                (state.upload, state.offset) = (stored.upload, stored.offset)
                if stored.isReady { try complete(&state) } else { Self.close(&state) }
            } catch {
                Self.close(&state)
                throw error
            }
            return try store.find(id)
        }
    }

    /// Opens and locks the file, unless all bytes are there.
    ///
    /// - Returns: `false` while another server writes.
    private func open(_ id: String, _ state: inout State) throws(Refusal) -> Bool {
        let path = "\(store.path(of: id))/\(UploadStore.partialName)"
        let file = Foundation.open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else {
            // Whoever looks finds that it is complete, or not there.
            guard errno != ENOENT else { return true }
            throw Refusal(.failed(path, errno: errno))
        }
        state.descriptor = file
        do throws(FileError) {
            let isLocked = try FileLock.acquire(.exclusive, on: file)
            let identity = FileIdentity(descriptor: file)
            // Another server may have given the file its name, after which nobody writes to it.
            let isNamed = identity == FileIdentity(path: path)
            if !isLocked || !isNamed { Self.close(&state) }
            if state.digest == nil || identity != state.left { Self.restart(&state) }
            return isLocked
        } catch {
            Self.close(&state)
            throw Refusal(error)
        }
    }

    /// Notes from where bytes are held, before any comes; what was held before goes.
    private func hold(_ offset: Int64?, _ state: inout State) throws(Refusal) {
        guard var upload = state.upload, upload.heldFrom != nil || offset != nil else { return }
        if let held = upload.heldFrom, ftruncate(state.descriptor, off_t(held)) != 0 {
            throw Refusal(.writing("the upload", errno))
        }
        if let held = upload.heldFrom, state.digested > held { Self.restart(&state) }
        upload.heldFrom = offset
        do throws(FileError) { try store.note(upload) } catch { throw Refusal(error) }
        state.upload = upload
    }

    private static func close(_ state: inout State) {
        if state.descriptor >= 0 {
            state.left = FileIdentity(descriptor: state.descriptor)
            FileLock.release(state.descriptor)
            Foundation.close(state.descriptor)
        }
        (state.descriptor, state.isOwned) = (-1, false)
    }

    private static func restart(_ state: inout State) {
        (state.digest, state.digested) = (RunningDigest(.sha256), 0)
    }

    /// Writes bytes behind those that are there.
    ///
    /// - Parameters:
    ///   - bytes: Any number.
    ///   - turn: Of the request.
    /// - Throws: With 413 for more than there may be, 507 without room, 409 after another request has begun.
    func write(
        _ bytes: UnsafeRawBufferPointer, turn: Int
    ) throws(Refusal) {
        try state.withLock { (state) throws(Refusal) in
            guard state.turn == turn, let upload = state.upload else { throw Self.overtaken }
            let end = state.offset + Int64(bytes.count)
            guard end <= upload.length ?? store.mostBytes else {
                throw upload.length == nil ? store.tooLarge : Self.tooLong
            }
            guard state.descriptor >= 0 else { throw Self.tooLong }
            if end > state.checkedRoom {
                try store.requireRoom(for: Int64(bytes.count))
                state.checkedRoom = end + Self.roomStep
            }
            try Self.put(bytes, state.descriptor, at: state.offset)
            if state.digested == state.offset {
                state.digest?.update(bytes)
                state.digested = end
            }
            state.offset = end
            if upload.heldFrom == nil, end == upload.length { try complete(&state) }
        }
    }

    private static func put(
        _ bytes: UnsafeRawBufferPointer, _ file: Int32, at offset: Int64
    ) throws(Refusal) {
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                file, bytes.baseAddress.map { $0 + done }, bytes.count - done,
                off_t(offset + Int64(done)))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw Refusal(.writing("the upload", count < 0 ? errno : EIO))
            }
            done += count
        }
    }

    /// Takes back what a request wrote, where its checksum tells of other bytes.
    func takeBack(to offset: Int64, turn: Int) {
        state.withLock { state in
            guard state.turn == turn, state.descriptor >= 0 else { return }
            _ = ftruncate(state.descriptor, off_t(offset))
            state.offset = offset
            if state.digested > offset { Self.restart(&state) }
        }
    }

    /// Ends a request's writing.
    func end(turn: Int, isWhole: Bool = false) throws(Refusal) -> StoredUpload {
        try state.withLock { (state) throws(Refusal) in
            guard state.turn == turn, let upload = state.upload else { throw Self.overtaken }
            if state.descriptor >= 0 {
                if upload.length == state.offset || upload.length == nil && isWhole {
                    try complete(&state)
                } else {
                    fdatasync(state.descriptor)
                    try count(&state)
                    Self.close(&state)
                }
            }
            guard let stored = try store.find(upload.id) else { throw .noUpload(upload.id) }
            return stored
        }
    }

    /// Lets the bytes count that were held.
    private func count(_ state: inout State) throws(Refusal) {
        guard state.upload?.heldFrom != nil else { return }
        state.upload?.heldFrom = nil
        guard let upload = state.upload else { return }
        do throws(FileError) { try store.note(upload) } catch { throw Refusal(error) }
    }

    /// Ends a request's writing after its connection broke.
    func breakOff(turn: Int) { _ = try? end(turn: turn) }

    /// Ends all writing, and does something before any other begins.
    func abandon<Problem: Error>(_ body: () throws(Problem) -> Void) throws(Problem) {
        try state.withLock { (state) throws(Problem) in
            state.turn += 1
            Self.close(&state)
            state.upload = nil
            try body()
        }
    }

    /// Gives the whole file its name.
    private func complete(_ state: inout State) throws(Refusal) {
        guard var upload = state.upload, state.descriptor >= 0 else { return }
        let folder = store.path(of: upload.id)
        guard fsync(state.descriptor) == 0 else { throw Refusal(.writing(folder, errno)) }
        let sum = try? state.digest?.finish(state.descriptor, from: state.digested)
        state.digest = nil
        upload.sha256 = sum ?? nil
        (upload.length, upload.heldFrom) = (state.offset, nil)
        // It has its name before another server can open it.
        let isNamed =
            rename("\(folder)/\(UploadStore.partialName)", "\(folder)/\(upload.name)") == 0
        let reason = errno
        // What follows needs a descriptor.
        Self.close(&state)
        guard isNamed else {
            try store.requirePlace()
            throw Refusal(.creating(folder, reason))
        }
        state.upload = upload
        do throws(FileError) {
            try store.note(upload)
            try Folder.synchronize(folder)
        } catch {
            throw Refusal(error)
        }
    }
}
