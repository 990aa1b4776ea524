internal import Foundation
internal import TakeupFFmpeg
internal import TakeupMediaClient
internal import TakeupProcess

/// Gets files opened that a sealed helper cannot open, when it reads them.
final class LateFiles: Sendable {
    private let socket: MessageSocket
    private let limit = OpenFiles()
    /// Held by the lane whose question is under way.
    private let turn = NSLock()

    /// - Parameter socket: The other end belongs to a `SourceDesk`; it stays the caller's.
    init(socket: Int32) {
        self.socket = MessageSocket(owning: fcntl(socket, F_DUPFD_CLOEXEC, 3))
    }

    /// Ends whoever waits, and every later question.
    func cancel() { socket.shutDown() }

    /// Makes the source of one of the files.
    ///
    /// - Parameters:
    ///   - place: Among the task's files.
    ///   - name: What it is called in messages.
    ///   - byteCount: All its bytes.
    /// - Returns: A source that asks for the file when it is read.
    func source(_ place: Int, name: String, byteCount: Int64) -> LateFileSource {
        LateFileSource(name: name, byteCount: byteCount, limit: limit) {
            [self] () throws(FFmpegError) in try open(place, name)
        }
    }

    private func open(_ place: Int, _ name: String) throws(FFmpegError) -> Int32 {
        turn.lock()
        defer { turn.unlock() }
        guard (try? socket.send(OpeningMessage.bytes(place))) != nil,
            case .message(let bytes, let descriptors)? = try? socket.receive()
        else { throw FFmpegError(.read, status: .interrupted, subject: name) }
        let reason = OpeningMessage.number(bytes)
        if reason == 0, descriptors.count == 1 { return descriptors[0] }
        for descriptor in descriptors { close(descriptor) }
        let status = FFmpegStatus(rawValue: -Int32(clamping: reason ?? Int(EIO)))
        throw FFmpegError(.read, status: status, subject: name)
    }
}
