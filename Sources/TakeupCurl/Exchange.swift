internal import CTakeupCurl
internal import Foundation

/// The state that the callbacks of one request share, on the thread that performs the request.
final class Exchange {
    /// The reason why the exchange ended before libcurl ended it.
    enum Stop: Equatable {
        case caller
        case failure(CurlError.Kind)
    }

    /// Longest time between two checks of the cancellation, in seconds.
    private static let longestWaitSeconds = 0.05

    private let request: TransferRequest
    private let cancellation: TransferCancellation?
    private let onHead: (ResponseHead) -> Bool
    private let onBody: (UnsafeRawBufferPointer) -> Bool
    /// Bytes of the body that arrived and have not been delivered.
    private let gathered: BodyBuffer

    private let startedAt = Exchange.now
    private var sentAt: Double?
    private var bodyBeganAt = 0.0
    /// Seconds that the origin had to wait for the body's receiver or for the speed limit.
    private var heldSeconds = 0.0
    private var reader: HeadReader
    private var speed: SpeedWatch
    private var denied: IPAddress?
    private var hasOpened = false

    private(set) var stop: Stop?
    private(set) var peer: IPAddress?
    private(set) var bodyBytes: Int64 = 0
    /// Bytes of the request's body that libcurl has taken.
    var sentBytes: Int64 = 0

    init(
        _ request: TransferRequest, cancellation: TransferCancellation?,
        onHead: @escaping (ResponseHead) -> Bool,
        onBody: @escaping (UnsafeRawBufferPointer) -> Bool
    ) {
        (self.request, self.cancellation) = (request, cancellation)
        (self.onHead, self.onBody) = (onHead, onBody)
        reader = HeadReader(limitBytes: request.limits.headBytes)
        speed = SpeedWatch(request.limits)
        // With a speed limit, the body is delivered as it arrives.
        gathered = BodyBuffer(gathers: request.limits.bytesPerSecond == nil)
    }

    var head: ResponseHead? { reader.head }
    var seconds: Double { Self.now - startedAt }

    /// Seconds on the monotonic clock, which nobody can set.
    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Ends the exchange if it was cancelled or has exceeded a time limit.
    ///
    /// - Returns: Whether the exchange continues.
    func goesOn() -> Bool {
        if cancellation?.isCancelled == true { return end(.failure(.cancelled)) }
        if let total = request.limits.totalSeconds, seconds - heldSeconds > total {
            return end(.failure(.timeout))
        }
        guard let sentAt else { return stop == nil }
        let now = Self.now
        if head == nil {
            return now - sentAt <= request.limits.headSeconds || end(.failure(.timeout))
        }
        let active = now - bodyBeganAt - heldSeconds
        return !speed.isTooSlow(bytes: bodyBytes, at: active) || end(.failure(.tooSlow))
    }

    /// Returns the reason of the failure, given libcurl's code.
    func failure(_ code: CURLcode) -> CurlError.Kind {
        if case .failure(let kind) = stop { return kind }
        if let denied, !hasOpened { return .denied(denied) }
        let kind = CurlError.Kind(
            code: code, isHeadOpen: sentAt != nil && head == nil, bodyBytes: bodyBytes)
        switch kind {
        // The resolver and the TLS library open files, and do not tell when they cannot.
        case .resolve, .connect, .tls, .other: return Self.isOutOfFiles ? .outOfFiles : kind
        default: return kind
        }
    }

    /// Whether this process can open no file now.
    private static var isOutOfFiles: Bool {
        let probe = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard probe < 0 else {
            close(probe)
            return false
        }
        return errno == EMFILE || errno == ENFILE
    }

    /// Ends the exchange; the first reason stays.
    private func end(_ reason: Stop) -> Bool {
        stop = stop ?? reason
        return false
    }
}

extension Exchange {
    /// Opens a socket if the address is permitted.
    func openSocket(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        var bytes = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        let count = Int(takeup_socket_address(address, &bytes, &port))
        if request.unixSocket != nil, address.pointee.family == AF_UNIX {
            return opened(address)
        }
        // Never open a socket for anything else than an Internet address.
        guard request.unixSocket == nil, let target = IPAddress(bytes: Array(bytes[..<count]))
        else {
            return takeup_no_socket
        }
        guard request.mayConnect(target, port) else {
            denied = target
            return takeup_no_socket
        }
        return opened(address)
    }

    private func opened(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        hasOpened = true
        let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let opened = socket(address.pointee.family, type, address.pointee.protocol)
        // libcurl keeps no errno of this: it would say that nobody accepts the connection.
        if opened < 0, errno == EMFILE || errno == ENFILE { _ = end(.failure(.outOfFiles)) }
        return opened
    }

    /// Checks the peer again, because a kept connection was opened for another request.
    func willSend(to address: String, port: Int32) -> Bool {
        if request.unixSocket != nil {
            peer = IPAddress(bytes: [127, 0, 0, 1])
            sentAt = sentAt ?? Self.now
            return goesOn()
        }
        guard let target = IPAddress(address), let port = UInt16(exactly: port) else {
            return end(.failure(.connect))
        }
        guard request.mayConnect(target, port) else { return end(.failure(.denied(target))) }
        peer = target
        sentAt = sentAt ?? Self.now
        return goesOn()
    }

    /// Reads the next bytes of the request's body.
    ///
    /// - Returns: Their number, 0 at the end; nil ends the request.
    func send(into room: UnsafeMutableRawBufferPointer) -> Int? {
        guard let upload = request.upload, goesOn() else { return nil }
        // The answer is awaited from the last byte on.
        sentAt = Self.now
        let wanted = min(room.count, Int(upload.count - sentBytes))
        guard wanted > 0 else { return 0 }
        let count = pread(
            upload.descriptor, room.baseAddress, wanted, off_t(upload.offset + sentBytes))
        guard count > 0 else {
            _ = end(.failure(.unreadableBody(errno: count < 0 ? errno : EIO)))
            return nil
        }
        sentBytes += Int64(count)
        return count
    }

    func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
        guard goesOn() else { return false }
        switch reader.take(line) {
        case .more: return true
        case .tooLarge: return end(.failure(.tooLarge))
        case .malformed: return end(.failure(.protocol))
        case .complete(let head):
            guard onHead(head) else { return end(.caller) }
            bodyBeganAt = Self.now
            let limit = request.limits.bodyBytes ?? .max
            return (head.statedBodyBytes ?? 0) <= limit || end(.failure(.tooLarge))
        }
    }

    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard goesOn() else { return false }
        guard head != nil else { return end(.failure(.protocol)) }
        guard bodyBytes + Int64(bytes.count) <= request.limits.bodyBytes ?? .max else {
            return end(.failure(.tooLarge))
        }
        bodyBytes += Int64(bytes.count)
        if gathered.append(bytes) { return true }
        guard handOn() else { return false }
        return gathered.append(bytes) || give(bytes)
    }

    /// Delivers the collected bytes.
    ///
    /// - Returns: Whether more bytes are wanted.
    @discardableResult
    func handOn() -> Bool {
        guard stop != .caller else { return false }
        return gathered.take { give($0) } ?? true
    }

    private func give(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let began = Self.now
        defer { heldSeconds += Self.now - began }
        guard onBody(bytes) else { return end(.caller) }
        holdBack()
        return true
    }

    /// Waits until the body is within its speed limit; libcurl's own limit lets megabytes pass.
    private func holdBack() {
        guard let limit = request.limits.bytesPerSecond else { return }
        let due = bodyBeganAt + Double(bodyBytes) / Double(max(1, limit))
        while cancellation?.isCancelled != true {
            let wait = min(due - Self.now, Self.longestWaitSeconds)
            guard wait > 0 else { return }
            usleep(UInt32(wait * 1e6))
        }
    }
}
