internal import CTakeupMicrohttpd
internal import Foundation
internal import TakeupLanes

/// Serves HTTP/1.1 on libmicrohttpd: one thread a connection.
public final class HTTPServer: Sendable {
    /// Where a server listens.
    public enum Address: Sendable, Equatable {
        /// An IP address, or `localhost`, and a port; port 0 takes a free one.
        case tcp(host: String, port: UInt16)
        /// The path of a Unix socket and the rights of its file.
        case unix(path: String, mode: UInt32 = 0o600)
        /// A socket that somebody else has opened, such as systemd; it belongs to the server.
        case descriptor(Int32)
    }

    /// The limits of one server.
    public struct Limits: Sendable, Equatable {
        public var connections = 1024
        /// Of one address; programs on this machine are not counted.
        public var connectionsPerPeer = 256
        /// Of a request's line and fields together.
        public var headBytes = 32_768
        /// Of a request's target alone.
        public var targetBytes = 16_384
        /// From a connection's begin to the end of its first head.
        public var headSeconds = 10.0
        /// Until the next head has come, and without a byte in either direction of a body; a body that comes must bring 100 bytes for each second.
        public var idleSeconds = 60.0

        public init() {}
    }

    /// Where it listens, with the real port.
    public let address: Address

    private let core: ServerCore
    private let ownPath: String?
    private let isGiven: Bool
    private let parts: Parts
    private let isRunning = Locked(true)
    private let watch = LaneGroup()
    private let bell = Bell()

    /// What ends with the server.
    fileprivate struct Parts {
        let daemon: OpaquePointer
        let callbacks: UnsafeMutablePointer<takeup_http_callbacks>
        let listener: Int32
    }

    /// Fewer descriptors than this are not enough to serve anybody.
    private static let leastDescriptors: UInt64 = 64
    /// Stack of a connection's thread: a thousand of them fit.
    private static let stackBytes = 512 << 10

    /// Begins to listen.
    ///
    /// - Throws: `HTTPServerError`.
    public init(
        _ address: Address, limits: Limits = Limits(), handler: any HTTPHandler
    ) throws(HTTPServerError) {
        var files = rlimit()
        getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &files)
        guard files.rlim_cur >= Self.leastDescriptors else {
            throw HTTPServerError(
                operation: "serve with \(files.rlim_cur) open files at most", errno: EMFILE)
        }
        let socket = try ListenSocket(address)
        (self.address, ownPath) = (socket.address, socket.ownPath)
        if case .descriptor = address { isGiven = true } else { isGiven = false }
        core = ServerCore(handler: handler, limits: limits, isTCP: socket.isTCP)
        let callbacks = UnsafeMutablePointer<takeup_http_callbacks>.allocate(capacity: 1)
        callbacks.initialize(to: ServerCallbacks.of(core))
        // Half of it is for reading; the rest holds the records of the fields and the response's head.
        let memory = 2 * limits.headBytes + 16_384
        let daemon = takeup_http_start(
            callbacks, socket.descriptor, UInt32(limits.connections), memory, Self.stackBytes)
        guard let daemon else {
            let reason = errno
            callbacks.deallocate()
            close(socket.descriptor)
            throw HTTPServerError(operation: "start the server", errno: reason)
        }
        parts = Parts(daemon: daemon, callbacks: callbacks, listener: socket.descriptor)
        let period = min(1, min(limits.headSeconds, limits.idleSeconds) / 4)
        watch.start("http-watch") { [core, bell, isRunning] in
            while isRunning.withLock({ $0 }) {
                core.tick()
                bell.wait(seconds: period)
            }
        }
    }

    deinit {
        stop(graceSeconds: 0)
        parts.callbacks.deallocate()
    }

    /// Exchanges whose answer is not complete.
    public var exchangesInFlight: Int { core.connections.count { $0.isBusy } }

    /// Takes no more connections, lets running exchanges end for so many seconds, and then cuts the rest.
    ///
    /// What waits for long learns of the stop at once. Blocks: for a lane.
    public func stop(graceSeconds: Double) {
        guard isRunning.withLock({ $0 }) else { return }
        core.beginStopping()
        MHD_quiesce_daemon(parts.daemon)
        if let ownPath { unlink(ownPath) }
        // Nobody is to wait for a server that ends; a socket of somebody else's serves the next one.
        if !isGiven { shutdown(parts.listener, Int32(SHUT_RDWR)) }
        let end = Monotonic.now + graceSeconds
        core.tick()
        while !core.isIdle, Monotonic.now < end {
            usleep(10_000)
            core.tick()
        }
        core.cutAll()
        let isFirst = isRunning.withLock { isRunning in
            defer { isRunning = false }
            return isRunning
        }
        guard isFirst else { return }
        bell.ring()
        watch.wait()
        MHD_stop_daemon(parts.daemon)
        close(parts.listener)
    }
}

// Safe: the library's functions for a daemon may be called from any thread, and the callbacks are only read.
extension HTTPServer.Parts: @unchecked Sendable {}
