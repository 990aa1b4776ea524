import Foundation

/// What the threads of a `TestOrigin` share.
final class OriginCore: Sendable {
    let state = Guarded(OriginState())
    let port: UInt16
    private let began = ContinuousClock.now
    private let connectionLimit: Int
    private let observer: (@Sendable (OriginRecord) -> Void)?
    private let listener: Int32
    private let stopReader: Int32
    private let stopWriter: Int32

    /// Listens on 127.0.0.1; 0 is any free port.
    ///
    /// - Throws: `ToolFailure` when it cannot.
    init(
        port: UInt16, connectionLimit: Int, observer: (@Sendable (OriginRecord) -> Void)?
    ) throws(ToolFailure) {
        self.connectionLimit = connectionLimit
        self.observer = observer
        (listener, self.port) = try LoopbackListener.listen(port: port)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            close(listener)
            throw ToolFailure("pipe: errno \(errno)")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (stopReader, stopWriter) = (ends[0], ends[1])
    }

    deinit {
        // The writing end is closed by `requestStop`, which always comes first.
        close(stopReader)
    }

    /// Since the origin began.
    var seconds: Double { (ContinuousClock.now - began) / .seconds(1) }

    // MARK: - Threads

    func start() {
        state.with { $0.isListening = true }
        thread { core in
            core.acceptAll()
            core.state.with { $0.isListening = false }
        }
    }

    /// Wakes every thread for its end.
    func requestStop() {
        let isFirst = state.with { state in
            defer { state.isStopping = true }
            return !state.isStopping
        }
        if isFirst { close(stopWriter) }
    }

    private func acceptAll() {
        let socket = OriginSocket(descriptor: listener, stopDescriptor: stopReader)
        while waitForPlace() {
            do throws(OriginEnding) {
                guard let descriptor = try socket.accept() else { continue }
                let number = state.with { state in
                    state.totals.open()
                    return state.totals.connections - 1
                }
                thread { core in
                    core.serve(descriptor, number)
                    core.state.with { $0.totals.close() }
                }
            } catch {
                if error != .stopped { note("accept: \(error)") }
                return
            }
        }
    }

    /// False when the origin stops.
    private func waitForPlace() -> Bool {
        while true {
            let isFree = state.wait(seconds: 60) {
                $0.isStopping || $0.totals.openConnections < connectionLimit
            }
            if isFree { return state.with { !$0.isStopping } }
        }
    }

    private func serve(_ descriptor: Int32, _ number: Int) {
        let socket = OriginSocket(descriptor: descriptor, stopDescriptor: stopReader)
        OriginConnection(socket: socket, core: self, number: number).run()
    }

    private func thread(_ body: @escaping @Sendable (OriginCore) -> Void) {
        let thread = Thread { body(self) }
        thread.name = "test-origin"
        thread.stackSize = 1 << 20
        thread.start()
    }

    // MARK: - What connections tell

    func begin(_ request: OriginRequest, connection: Int) -> OriginBegun {
        let seconds = seconds
        return state.with {
            $0.begin(request, connection: connection, port: port, seconds: seconds)
        }
    }

    func step(_ progress: inout OriginProgress, limit: Int) -> OriginStep {
        state.with { $0.step(&progress, limit: limit) }
    }

    func sent(_ count: Int, _ progress: inout OriginProgress) {
        state.with { $0.sent(count, &progress) }
    }

    func releases(_ path: String) -> Int {
        state.with { $0.sites[path]?.releases ?? 0 }
    }

    func end(_ number: Int, _ ending: OriginEnding) {
        let seconds = seconds
        let record = state.with { $0.end(number, ending, seconds: seconds) }
        if let record { observer?(record) }
    }

    func note(_ problem: String) {
        state.with { $0.problems.append(problem) }
    }
}
