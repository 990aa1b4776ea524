internal import Foundation
internal import TakeupLanes

/// One client's connection, as the thread that serves it and the one that watches over it know it.
final class Connection: Sendable {
    /// Empty on a Unix socket.
    let peer: String
    let isTCP: Bool
    private let limits: HTTPServer.Limits
    private let state: Locked<State>

    private struct State {
        /// Negative once the library is about to close it.
        var socket: Int32
        var deadline: ConnectionDeadline
        /// Bytes of the body that the running exchange has taken or given.
        var moved: Int64 = 0
        /// Whether the server has cut it.
        var isCut = false
        /// Bytes that were written until it was cut, when the kernel forgets them.
        var written: Int64?
    }

    init(socket: Int32, peer: String, isTCP: Bool, limits: HTTPServer.Limits) {
        (self.peer, self.isTCP, self.limits) = (peer, isTCP, limits)
        state = Locked(State(socket: socket, deadline: ConnectionDeadline(now: Monotonic.now)))
    }

    var isCut: Bool { state.withLock { $0.isCut } }

    /// Whether a request has begun whose exchange has not ended.
    var isBusy: Bool {
        state.withLock { if case .waiting = $0.deadline.activity { false } else { true } }
    }

    /// Notes what happens now.
    func begin(_ activity: ConnectionDeadline.Activity) {
        state.withLock { state in
            if case .waiting = activity { state.moved = 0 }
            state.deadline.begin(
                activity, now: Monotonic.now, progress: progress(of: state, in: activity))
        }
    }

    /// Notes how many bytes of a body have come, or are given to the library.
    func move(to bytes: Int64) {
        state.withLock { $0.moved = bytes }
    }

    /// Whether the client has closed its side, or the connection was cut.
    var isGone: Bool {
        state.withLock { state in
            guard state.socket >= 0, !state.isCut else { return true }
            let closed = Int16(0x2000)  // POLLRDHUP, which Swift does not see
            var entry = pollfd(fd: state.socket, events: closed, revents: 0)
            return poll(&entry, 1, 0) > 0
        }
    }

    /// Bytes that were written to the socket; nil where they are not counted.
    var written: Int64? {
        state.withLock { state in
            guard isTCP, state.socket >= 0, !state.isCut else { return state.written }
            return TCPCounters(state.socket)?.written
        }
    }

    /// Uses the socket on the connection's own thread, during which the library does not close it.
    func withSocket(_ use: (Int32) -> Int) -> Int {
        let socket = state.withLock { $0.isCut ? -1 : $0.socket }
        return socket < 0 ? 0 : use(socket)
    }

    /// Cuts the connection where its client was idle for too long.
    func tick(now: Double) {
        state.withLock { state in
            guard state.socket >= 0, !state.isCut else { return }
            let progress = progress(of: state, in: state.deadline.activity)
            guard state.deadline.isOver(now: now, progress: progress, limits: limits) else {
                return
            }
            if case .waiting = state.deadline.activity {
                Self.endReading(state)
            } else {
                cut(&state)
            }
        }
    }

    /// Ends the connection, so that its client sees that what it got is not complete.
    func cut() {
        state.withLock { cut(&$0) }
    }

    /// Ends the connection if it only waits for a request.
    ///
    /// Its last response may still be on its way from the kernel to the client: it arrives whole.
    func cutIfIdle() {
        state.withLock { state in
            if case .waiting = state.deadline.activity { Self.endReading(state) }
        }
    }

    /// Cuts the connection, unless it only waits for a request.
    func cutIfBusy() {
        state.withLock { state in
            if case .waiting = state.deadline.activity {
                Self.endReading(state)
            } else {
                cut(&state)
            }
        }
    }

    /// The library takes this for the client's end, and closes; an answer that begins just now still gets out.
    private static func endReading(_ state: State) {
        if state.socket >= 0 { shutdown(state.socket, Int32(SHUT_RD)) }
    }

    /// The library closes the socket next.
    func forget() {
        state.withLock { $0.socket = -1 }
    }

    private func cut(_ state: inout State) {
        guard state.socket >= 0, !state.isCut else { return }
        if isTCP { state.written = TCPCounters(state.socket)?.written }
        state.isCut = true
        SocketEnd.reset(state.socket)
    }

    private func progress(of state: State, in activity: ConnectionDeadline.Activity) -> Int64 {
        switch activity {
        case .receiving: state.moved
        case .sending where isTCP: TCPCounters(state.socket)?.acknowledged ?? state.moved
        case .sending: state.moved
        case .waiting, .working, .closing: 0
        }
    }
}
