internal import Foundation
internal import TakeupModel
internal import TakeupProcess

/// A running helper and what belongs to it; all of it ends with this object.
final class HelperConnection {
    /// How long a helper may take to start, and to stop.
    private static let startSeconds = 20.0
    private static let stopSeconds = 0.5
    /// Free memory that a helper's allocator keeps in each of its arenas, in bytes.
    private static let keptBytes = 64 << 20

    enum Next {
        case message(HelperMessage)
        case end
        /// Nothing came in time.
        case none
    }

    let child: ChildProcess
    let socket: MessageSocket
    let sandbox: Sandbox
    /// How many it has done.
    var exports = 0
    /// Whether it has said anything since the last order.
    private(set) var hasAnswered = false
    private var log: HelperLog
    private var assembly = HelperMessage.Assembly()
    private let scratch: ScratchFolder
    private let processorSeconds: Double?

    init(_ configuration: HelperConfiguration) throws(ProcessError) {
        processorSeconds = configuration.processorSeconds
        scratch = try ScratchFolder(in: configuration.scratchParent)
        guard var log = HelperLog() else {
            throw ProcessError(.spawn, errno: errno, subject: "a helper's log")
        }
        (socket, child) = try Self.start(configuration, scratch.path, log.childEnd)
        log.closeChildEnd()
        self.log = log
        sandbox = try Self.greeting(on: socket, from: configuration.executable)
        guard sandbox.isWhole || !configuration.requiresSandbox else {
            throw ProcessError(.seal, errno: ENOTSUP, subject: "a helper")
        }
    }

    /// The child's end of the socket is closed here when this returns, so that its death is the end of it.
    private static func start(
        _ configuration: HelperConfiguration, _ scratch: String, _ log: Int32
    ) throws(ProcessError) -> (MessageSocket, ChildProcess) {
        let (socket, childSocket) = try MessageSocket.pair()
        var limits = Sandbox.Limits()
        limits.memoryBytes = configuration.memoryBytes + configuration.memoryBytes / 2
        limits.fileBytes = configuration.fileBytes
        limits.openFiles = configuration.openFiles
        limits.scratchFolder = scratch
        limits.mostLandlockVersion = configuration.mostLandlockVersion
        guard let arguments = HelperCommand.arguments(limits) else {
            throw ProcessError(.spawn, errno: EINVAL, subject: "a helper's limits")
        }
        var program = ChildProcess.Program(path: configuration.executable, log: log)
        program.arguments = arguments
        program.descriptors = [childSocket.descriptor]
        program.environment = environment(scratch, configuration)
        return (socket, try ChildProcess(program))
    }

    deinit {
        child.kill()
        _ = child.wait()
    }

    /// Lets an idle helper end by itself.
    func stop() {
        socket.shutDown()
        _ = child.wait(timeoutSeconds: Self.stopSeconds)
    }

    private static func environment(
        _ scratch: String, _ configuration: HelperConfiguration
    ) -> [String: String] {
        // A backtrace would need another program, which the seal denies.
        var environment = ["TMPDIR": scratch, "SWIFT_BACKTRACE": "enable=no"]
        // One export's frames are the next one's: most memory is kept between exports, not given back and asked for anew.
        environment["MALLOC_TRIM_THRESHOLD_"] = "\(keptBytes)"
        environment["MALLOC_MMAP_THRESHOLD_"] = "\(keptBytes / 2)"
        // Where the program's own libraries are, what a user told an encoder to log, and whether tests want faults.
        for name in ["LD_LIBRARY_PATH", "SVT_LOG", HelperCommand.faults] {
            environment[name] = ProcessInfo.processInfo.environment[name]
        }
        return environment.merging(configuration.environment) { _, new in new }
    }

    private static func greeting(
        on socket: MessageSocket, from program: String
    ) throws(ProcessError) -> Sandbox {
        var assembly = HelperMessage.Assembly()
        guard case .message(let bytes, _) = try socket.receive(timeoutSeconds: startSeconds),
            case .whole(.ready(let sandbox, let version)) = assembly.add(bytes)
        else { throw ProcessError(.spawn, errno: ECONNREFUSED, subject: "\(program) as a helper") }
        guard version == ProgramVersion.current else {
            throw ProcessError(
                .spawn, errno: ELIBBAD,
                subject: "\(program), which is version \(version) and not "
                    + "\(ProgramVersion.current): install both programs of one version")
        }
        return sandbox
    }

    /// Waits for a message; what is none is the end.
    func next(timeoutSeconds: Double) -> Next {
        do throws(ProcessError) {
            switch try socket.receive(timeoutSeconds: timeoutSeconds) {
            case .timeout: return .none
            case .end: return .end
            case .message(let bytes, let descriptors):
                for descriptor in descriptors { close(descriptor) }
                hasAnswered = true
                switch assembly.add(bytes) {
                case .more: return .none
                case .whole(let message): return .message(message)
                case .nonsense: return .end
                }
            }
        } catch {
            return .end
        }
    }

    /// Orders a task; its files go ahead.
    ///
    /// - Parameters:
    ///   - task: What to do.
    ///   - files: Those that it reads.
    ///   - output: Those that it writes, where they are open already.
    /// - Throws: `ProcessError` with `.send`.
    func order(
        _ task: HelperTask, _ files: [Int32], output: [Int32]? = nil
    ) throws(ProcessError) {
        log.begin()
        hasAnswered = false
        if let processorSeconds { child.allowProcessorSeconds(processorSeconds) }
        try HelperMessage.send(files: files, on: socket)
        try HelperMessage.task(task).send(on: socket)
        if let output { try HelperMessage.output.send(on: socket, output) }
    }

    func drainLog() { log.drain() }

    var logText: String { log.text }

    var lastLogLines: String { log.lastLines }
}
