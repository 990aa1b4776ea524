internal import CTakeupMicrohttpd

/// Serves HTTP/1.1 on libmicrohttpd: one thread a connection.
public final class HTTPServer: Sendable {
    /// Where a server listens.
    public enum Address: Sendable, Equatable {
        /// An IP address and a port; port 0 takes a free one.
        case tcp(host: String, port: UInt16)
        /// The path of a Unix socket.
        case unix(path: String)
        /// A socket that somebody else has opened, such as systemd; it belongs to the server.
        case descriptor(Int32)
    }

    /// The limits of one server.
    public struct Limits: Sendable, Equatable {
        public var connections = 1024
        public var connectionsPerPeer = 256
        /// Of a request's line and fields together.
        public var headBytes = 32_768
        /// From the first byte to the end of the head.
        public var headSeconds = 10.0
        /// Without a byte in either direction.
        public var idleSeconds = 60.0

        public init() {}
    }

    /// Where it listens, with the real port.
    public let address: Address

    /// Begins to listen.
    ///
    /// - Throws: `HTTPServerError`.
    public init(
        _ address: Address, limits: Limits = Limits(), handler: any HTTPHandler
    ) throws(HTTPServerError) {
        self.address = address
        throw HTTPServerError(operation: "listen", errno: 38)
    }

    /// Takes no more connections, lets running exchanges end for so many seconds, and then cuts the rest.
    ///
    /// Blocks: for a lane.
    public func stop(graceSeconds: Double) {}
}
