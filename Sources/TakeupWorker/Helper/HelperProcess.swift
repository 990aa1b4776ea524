internal import Foundation
internal import TakeupDigest
internal import TakeupExport
internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupProcess
internal import TakeupTelemetry

/// The child's side of a helper: seals itself, then works on the open files that it is handed.
public struct HelperProcess: Sendable {
    /// The hidden command that makes the program a helper.
    static let command = "export-helper"
    /// The descriptor on which a helper finds its socket.
    private static let socketDescriptor: Int32 = 3

    private let parent: Int32
    private let limits: Sandbox.Limits

    /// Reads a command line without the program's name.
    ///
    /// - Returns: nil when it does not ask for a helper.
    public init?(_ arguments: some Collection<String>) {
        let words = Array(arguments)
        guard words.count == 3, words[0] == Self.command, let parent = Int32(words[1]),
            let limits = try? JSONDecoder().decode(
                Sandbox.Limits.self, from: Data(words[2].utf8))
        else { return nil }
        (self.parent, self.limits) = (parent, limits)
    }

    static func arguments(_ limits: Sandbox.Limits) -> [String]? {
        guard let text = try? JSONEncoder().encode(limits) else { return nil }
        return [command, String(getpid()), String(decoding: text, as: UTF8.self)]
    }

    /// Serves until the parent closes its end.
    ///
    /// Call it before the process has started any thread.
    ///
    /// - Returns: What to exit with.
    public func run() async -> Int32 {
        let socket = MessageSocket(owning: Self.socketDescriptor)
        prepare()
        do throws(ProcessError) {
            let sandbox = try Sandbox.enter(limits, parent: parent)
            try HelperMessage.ready(sandbox).send(on: socket)
        } catch {
            Self.say("\(error)")
            return 70
        }
        for await order in Self.orders(from: socket) {
            await order.perform(for: socket)
        }
        return 0
    }

    /// Does once what reads files of the system: later it could not.
    private func prepare() {
        // Errors of a closed socket are seen where it is written to.
        _ = Foundation.signal(SIGPIPE, SIG_IGN)
        tzset()
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if nothing >= 0 {
            _ = try? SHA256Digest.ofFile(nothing) { false }
            close(nothing)
        }
        LogBridge.install(
            Log(threshold: .warning) { Self.say("\($0.level): \($0.text)") })
    }

    /// Writes a line where the parent collects them; one that it cannot take is lost.
    static func say(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                write(STDERR_FILENO, $0.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            done += count
        }
    }

    /// What is asked for, one after the other.
    ///
    /// The thread that reads it never works on any: it sees a cancellation, and the end of the parent, at once.
    private static func orders(from socket: MessageSocket) -> AsyncStream<HelperOrder> {
        let (stream, continuation) = AsyncStream.makeStream(of: HelperOrder.self)
        let thread = Thread {
            let current = Locked<HelperOrder?>(nil)
            while case .message(let bytes, let descriptors)? = try? socket.receive() {
                let message = HelperMessage(bytes)
                if case .cancel? = message {
                    current.withLock { $0 }?.cancellation.cancel()
                } else if let order = HelperOrder(message, descriptors) {
                    current.withLock { $0 = order }
                    continuation.yield(order)
                    continue
                }
                for descriptor in descriptors { close(descriptor) }
            }
            // Whatever an order is busy with, nobody waits for it any more.
            _exit(0)
        }
        thread.name = "takeup.orders"
        thread.start()
        return stream
    }
}

extension HelperOrder {
    /// - Returns: nil for what asks for no work.
    fileprivate init?(_ message: HelperMessage?, _ descriptors: [Int32]) {
        switch message {
        case .run(let request): self.init(work: .export(request), descriptors: descriptors)
        case .probe(let name): self.init(work: .probe(name: name), descriptors: descriptors)
        case .cancel, .ready, .event, .beat, .finished, .glanced, .probed, .failed, nil:
            return nil
        }
    }
}
