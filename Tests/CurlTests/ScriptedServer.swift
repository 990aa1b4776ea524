import Foundation
import TakeupLanes
import TestSupport

/// A server on loopback that answers each connection by a script of raw bytes.
///
/// Scripts run on a thread of their own, one connection after another; all of them end when the
/// server goes.
final class ScriptedServer {
    private let listener: LoopbackListener
    private let shared = Shared()

    /// What the thread and the test both see.
    final class Shared: Sendable {
        struct State {
            var accepted = 0
            var requests: [String] = []
            var isOver = false
            var connection: Int32?
        }

        let state = Locked(State())
    }

    /// Listens at once.
    ///
    /// - Parameters:
    ///   - address: Of IPv4, on loopback.
    ///   - port: 0 for any that is free.
    ///   - script: What happens on a connection; it is closed when the script returns.
    /// - Throws: `ToolFailure` when it cannot listen there.
    init(
        on address: String = "127.0.0.1", port: UInt16 = 0,
        _ script: @escaping @Sendable (Connection) -> Void
    ) throws {
        listener = try LoopbackListener(on: address, port: port) { [shared] connection in
            Self.serve(connection, shared, script)
        }
    }

    /// Ends at once: what waits in a script gets an end of file.
    deinit {
        shared.state.withLock { state in
            state.isOver = true
            if let connection = state.connection { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    var port: UInt16 { listener.port }

    /// Connections that came.
    var accepted: Int { shared.state.withLock { $0.accepted } }

    /// The heads that were read.
    var requests: [String] { shared.state.withLock { $0.requests } }

    private static func serve(
        _ descriptor: Int32, _ shared: Shared, _ script: (Connection) -> Void
    ) {
        let goesOn = shared.state.withLock { state in
            state.accepted += 1
            state.connection = descriptor
            return !state.isOver
        }
        if goesOn { script(Connection(descriptor: descriptor, shared: shared)) }
        shared.state.withLock { $0.connection = nil }
    }

    /// One connection, as its script sees it.
    struct Connection {
        fileprivate let descriptor: Int32
        fileprivate let shared: Shared

        /// Reads one request's head.
        ///
        /// - Returns: Nil when the other side has gone.
        @discardableResult func readRequest() -> String? {
            var head: [UInt8] = []
            var byte: UInt8 = 0
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
                head.append(byte)
            }
            let text = String(decoding: head, as: UTF8.self)
            shared.state.withLock { $0.requests.append(text) }
            return text
        }

        /// Reads what follows a head.
        ///
        /// - Returns: Fewer bytes when the other side has gone.
        func readBody(bytes: Int) -> [UInt8] {
            var body: [UInt8] = []
            var byte: UInt8 = 0
            while body.count < bytes, recv(descriptor, &byte, 1, 0) == 1 { body.append(byte) }
            return body
        }

        /// - Returns: `false` when the other side takes no more.
        @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        @discardableResult func send(_ bytes: [UInt8]) -> Bool {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }

        /// Keeps the connection and says nothing until the other side, or the server, goes.
        func holdStill() {
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) == 1 {}
        }

        /// The end comes as a reset and no regular end.
        func resetOnClose() {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
    }
}
