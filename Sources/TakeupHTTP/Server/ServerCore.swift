internal import CTakeupMicrohttpd
internal import Foundation
internal import TakeupLanes

/// What the library's callbacks work with: the handler, the limits and all connections.
final class ServerCore: Sendable {
    let handler: any HTTPHandler
    let limits: HTTPServer.Limits
    let isTCP: Bool
    /// Whether the server is about to end.
    ///
    /// Requests share this flag, not the core: a handler may keep what it noted, and the core keeps the handler.
    let stopping = Locked(false)
    /// Whether it waits no longer for what is under way; shared in the same way.
    let cutting = Locked(false)
    private let state = Locked(State())
    /// The connection that the current thread serves.
    private let current: pthread_key_t

    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        var countByPeer: [String: Int] = [:]
    }

    init(handler: any HTTPHandler, limits: HTTPServer.Limits, isTCP: Bool) {
        (self.handler, self.limits, self.isTCP) = (handler, limits, isTCP)
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        precondition(status == 0, "a process has room for a thread's variable")
        current = key
    }

    deinit { pthread_key_delete(current) }

    var isStopping: Bool { stopping.withLock { $0 } }
    var isCutting: Bool { cutting.withLock { $0 } }
    var isIdle: Bool { connections.allSatisfy { !$0.isBusy } }
    var connections: [Connection] { state.withLock { Array($0.connections.values) } }

    func beginStopping() { stopping.withLock { $0 = true } }

    func cutAll() {
        cutting.withLock { $0 = true }
        for connection in connections { connection.cutIfBusy() }
    }

    /// Looks after the deadlines of all connections.
    func tick() {
        let now = Monotonic.now
        let isStopping = isStopping
        for connection in connections {
            if isStopping { connection.cutIfIdle() }
            connection.tick(now: now)
        }
    }

    // MARK: - What the library calls

    func accepts(_ address: UnsafePointer<sockaddr>?) -> Bool {
        let peer = PeerAddress.text(address)
        guard !PeerAddress.isLocal(peer) else { return true }
        return state.withLock { ($0.countByPeer[peer] ?? 0) < limits.connectionsPerPeer }
    }

    func open(_ raw: OpaquePointer) -> Connection {
        let peer = isTCP ? PeerAddress.text(takeup_http_peer(raw)) : ""
        let connection = Connection(
            socket: takeup_http_socket(raw), peer: peer, isTCP: isTCP, limits: limits)
        state.withLock { state in
            state.connections[ObjectIdentifier(connection)] = connection
            state.countByPeer[peer, default: 0] += 1
        }
        return connection
    }

    func close(_ connection: Connection) {
        connection.forget()
        state.withLock { state in
            state.connections[ObjectIdentifier(connection)] = nil
            let left = (state.countByPeer[connection.peer] ?? 1) - 1
            state.countByPeer[connection.peer] = left == 0 ? nil : left
        }
    }

    func begin(_ target: String, on raw: OpaquePointer) -> Exchange? {
        guard let context = takeup_http_context(raw) else { return nil }
        let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        let exchange = Exchange(target: target, connection: connection, core: self)
        pthread_setspecific(current, Unmanaged.passUnretained(exchange).toOpaque())
        return exchange
    }

    func end(_ exchange: Exchange, _ reason: MHD_RequestTerminationCode) {
        pthread_setspecific(current, nil)
        exchange.end(reason)
    }

    /// The library refuses what it reads on this thread.
    func libraryRefuses(_ status: Int) {
        guard let raw = pthread_getspecific(current) else { return }
        Unmanaged<Exchange>.fromOpaque(raw).takeUnretainedValue().libraryRefuses(status: status)
    }
}
