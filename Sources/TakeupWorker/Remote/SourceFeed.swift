internal import Foundation
internal import Synchronization
internal import TakeupFetch
internal import TakeupProcess
internal import TakeupMediaClient

/// Answers a sealed helper's questions about a source that is still being fetched: which bytes are in the file now.
///
/// A thread of its own waits for the bytes.
final class SourceFeed: Sendable {
    /// Bytes that one answer promises at most: each block is compared with its checksum first.
    private static let mostBytes: Int64 = 4 << 20

    private let source: LoaderSource
    /// Whether the bytes themselves go along: for a source that no disk may have to keep.
    private let passesBytes: Bool
    private let socket: MessageSocket
    private let helperSocket: MessageSocket
    private let dataDescriptor: Int32
    private let isStopped = Atomic<Bool>(false)
    private let waits = Atomic<Bool>(false)
    private let end = DispatchSemaphore(value: 0)

    /// Starts to answer.
    ///
    /// - Parameters:
    ///   - source: What is read.
    ///   - passesBytes: Whether the helper gets bytes instead of places in the file: a disk that stops to keep them is
    ///     no matter then.
    /// - Throws: `FetchError` with `.changed`; `.storage`, also without a socket left.
    init(_ source: LoaderSource, passesBytes: Bool = false) throws(FetchError) {
        let descriptor =
            passesBytes
            ? open("/dev/null", O_RDONLY | O_CLOEXEC) : try source.readOnlyDescriptor()
        guard descriptor >= 0 else { throw .storage(path: source.name, errno: errno) }
        self.passesBytes = passesBytes
        do throws(ProcessError) {
            (socket, helperSocket) = try MessageSocket.pair()
        } catch {
            close(descriptor)
            throw .storage(path: source.name, errno: error.errno)
        }
        (self.source, dataDescriptor) = (source, descriptor)
        let thread = Thread { [self] in
            serve()
            end.signal()
        }
        thread.name = "takeup.feed"
        thread.start()
    }

    deinit { close(dataDescriptor) }

    /// What goes along to the helper: the file, and the socket for questions.
    var descriptors: [Int32] { [dataDescriptor, helperSocket.descriptor] }

    /// Whether the helper waits for bytes that are still to come.
    var isWaiting: Bool { waits.load(ordering: .relaxed) }

    /// Ends its thread, and waits for that.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        socket.shutDown()
        end.wait()
    }

    private func serve() {
        while case .message(let bytes, let descriptors)? = try? socket.receive() {
            for descriptor in descriptors { close(descriptor) }
            guard let question = FeedMessage.Question(bytes) else { return }
            let answer = FeedMessage.Answer(
                number: question.number, outcome(at: question.offset))
            guard (try? socket.send(answer.bytes)) != nil else { return }
        }
    }

    private func outcome(at offset: Int64) -> FeedMessage.Answer.Outcome {
        waits.store(true, ordering: .relaxed)
        defer { waits.store(false, ordering: .relaxed) }
        let rest = (source.byteCount ?? 0) - offset
        guard rest > 0 else { return .failed }
        do throws(FetchError) {
            if passesBytes { return try passed(offset, Int(rest)) }
            let count = try source.reader.waitFor(
                offset, count: Int(min(rest, Self.mostBytes)),
                isStopped: { isStopped.load(ordering: .relaxed) })
            return count > 0 ? .present(offset..<(offset + Int64(count))) : .failed
        } catch {
            source.note(error)
            return .failed
        }
    }

    private func passed(
        _ offset: Int64, _ rest: Int
    ) throws(FetchError) -> FeedMessage.Answer.Outcome {
        var bytes = [UInt8](
            repeating: 0, count: min(rest, FeedMessage.Answer.mostPassedBytes))
        let result = bytes.withUnsafeMutableBytes { room in
            Result { () throws(FetchError) in
                try source.reader.read(
                    into: room, at: offset,
                    isStopped: { isStopped.load(ordering: .relaxed) })
            }
        }
        let count = try result.get()
        return count > 0 ? .passed(Array(bytes.prefix(count))) : .failed
    }
}
