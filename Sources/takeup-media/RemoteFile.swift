internal import Foundation
internal import Synchronization
internal import TakeupFFmpeg
internal import TakeupFiles
internal import TakeupLanes
internal import TakeupMediaClient
internal import TakeupProcess

/// A source that is still being fetched, as a sealed helper reads it: from a file that fills, asking first whether
/// a place is filled.
///
/// The helper has no network. Bytes that are there once stay as they are, so that each range is asked for once.
final class RemoteFile: ByteSource {
    let name: String
    let byteCount: Int64?
    private let descriptor: Int32
    private let socket: MessageSocket
    private let total = Atomic<Int64>(0)
    private let present = Locked(RangeSet())
    /// What came last of a source that no file keeps, and from which place on.
    private let passed = Locked<(bytes: [UInt8], start: Int64)>(([], 0))
    /// Held by the lane whose question is under way.
    private let turn = NSLock()
    private let questions = Atomic<UInt64>(UInt64.random(in: 0...UInt64.max))

    /// - Parameters:
    ///   - descriptor: The file, open for reading; the caller's, as the socket is: each is opened once more.
    ///   - socket: The other end belongs to a `SourceFeed`.
    ///   - name: What it is called in messages.
    ///   - byteCount: All its bytes.
    init(descriptor: Int32, socket: Int32, name: String, byteCount: Int64) {
        (self.name, self.byteCount) = (name, byteCount)
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        self.socket = MessageSocket(owning: fcntl(socket, F_DUPFD_CLOEXEC, 3))
    }

    deinit { close(descriptor) }

    var bytesRead: Int64 { total.load(ordering: .relaxed) }

    /// Ends whoever waits, and every later read that would have to.
    func cancel() { socket.shutDown() }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FFmpegError) -> Int {
        guard let byteCount, offset >= 0, offset < byteCount else { return 0 }
        var known: Int64?
        // What was passed may have made way for another lane's bytes by the time that it is copied.
        while known == nil {
            let count = copyPassed(into: buffer, at: offset)
            if count > 0 { return count }
            known = try presentEnd(at: offset)
        }
        let end = known ?? offset
        let count = min(buffer.count, Int(clamping: end - offset))
        while true {
            let filled = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            if filled < 0, errno == EINTR { continue }
            // What was said to be there is there, or the disk has failed.
            guard filled > 0 else { throw failure(filled < 0 ? errno : EIO) }
            total.add(Int64(filled), ordering: .relaxed)
            return filled
        }
    }

    /// Copies what was passed of a place.
    ///
    /// - Returns: How many bytes; 0 for none.
    private func copyPassed(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> Int {
        let count = passed.withLock { passed in
            guard offset >= passed.start, offset - passed.start < passed.bytes.count else {
                return 0
            }
            let rest = passed.bytes[Int(offset - passed.start)...].prefix(buffer.count)
            buffer.copyBytes(from: rest)
            return rest.count
        }
        total.add(Int64(count), ordering: .relaxed)
        return count
    }

    /// Waits until something of a place is there.
    ///
    /// - Returns: Where the bytes end that the file has from there on; nil where they were passed, to `copyPassed`.
    private func presentEnd(at offset: Int64) throws(FFmpegError) -> Int64? {
        if let end = knownEnd(at: offset) { return end }
        turn.lock()
        defer { turn.unlock() }
        // Another lane may have asked meanwhile.
        if let end = knownEnd(at: offset) { return end }
        switch try ask(for: offset) {
        case .present(let range):
            guard range.contains(offset) else { throw failure(EIO) }
            present.withLock { $0.insert(range) }
            return range.upperBound
        case .passed(let bytes):
            guard !bytes.isEmpty else { throw failure(EIO) }
            passed.withLock { $0 = (bytes, offset) }
            return nil
        case .failed: throw failure(EIO)
        }
    }

    private func knownEnd(at offset: Int64) -> Int64? {
        let end = present.withLock { $0.prefixEnd(from: offset) }
        return end > offset ? end : nil
    }

    private func ask(
        for offset: Int64
    ) throws(FFmpegError) -> FeedMessage.Answer.Outcome {
        let number = questions.add(1, ordering: .relaxed).newValue
        let question = FeedMessage.Question(number: number, offset: offset)
        guard (try? socket.send(question.bytes)) != nil else { throw interruption }
        while case .message(let bytes, let descriptors)? = try? socket.receive() {
            for descriptor in descriptors { close(descriptor) }
            guard let answer = FeedMessage.Answer(bytes) else { break }
            // One for a helper before this one, whose end came before its answer.
            guard answer.number == number else { continue }
            return answer.outcome
        }
        throw interruption
    }

    private var interruption: FFmpegError {
        FFmpegError(.read, status: .interrupted, subject: name)
    }

    private func failure(_ reason: Int32) -> FFmpegError {
        FFmpegError(.read, status: FFmpegStatus(rawValue: -reason), subject: name)
    }
}
