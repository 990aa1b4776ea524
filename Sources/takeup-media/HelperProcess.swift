internal import Foundation
internal import TakeupDigest
internal import TakeupExport
internal import TakeupFFmpeg
internal import TakeupMediaClient
internal import TakeupModel
internal import TakeupProcess
internal import TakeupTelemetry

/// The child's side of a helper: seals itself, then works on the open files that it is handed.
struct HelperProcess: Sendable {
    private let parent: Int32
    private let limits: Sandbox.Limits

    /// Reads a command line without the program's name.
    ///
    /// - Returns: nil when it does not ask for a helper.
    init?(_ arguments: some Collection<String>) {
        guard let (parent, limits) = HelperCommand.read(arguments) else { return nil }
        (self.parent, self.limits) = (parent, limits)
    }

    /// Serves until the parent closes its end.
    ///
    /// Call it before the process has started any thread.
    ///
    /// - Returns: What to exit with.
    func run() async -> Int32 {
        let socket = MessageSocket(owning: HelperCommand.socketDescriptor)
        prepare()
        do throws(ProcessError) {
            let sandbox = try Sandbox.enter(limits, parent: parent)
            try HelperMessage.ready(sandbox, version: ProgramVersion.current).send(on: socket)
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
            var current: HelperOrder?
            var assembly = HelperMessage.Assembly()
            var files: [Int32] = []
            while case .message(let bytes, let descriptors)? = try? socket.receive() {
                files += descriptors
                switch assembly.add(bytes) {
                case .more, .whole(.files): continue
                case .whole(.cancel): current?.cancel()
                case .whole(.output): current?.give(files)
                case .whole(.task(let task)):
                    let order = HelperOrder(task, files)
                    current = order
                    continuation.yield(order)
                case .whole, .nonsense: for file in files { close(file) }
                }
                files = []
            }
            // Whatever an order is busy with, nobody waits for it any more.
            _exit(0)
        }
        thread.name = "takeup.orders"
        thread.start()
        return stream
    }
}
