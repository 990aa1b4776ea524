internal import CTakeupCurl
internal import Foundation

/// What the callbacks of one request share, on the thread that performs.
final class Exchange {
    /// Who ended it before libcurl did.
    enum Stop: Equatable {
        case caller
        case failure(CurlError.Kind)
    }

    /// Between two looks at the cancellation.
    private static let longestWaitSeconds = 0.05

    private let request: TransferRequest
    private let cancellation: TransferCancellation?
    private let onHead: (ResponseHead) -> Bool
    private let onBody: (UnsafeRawBufferPointer) -> Bool
    /// What has come of the body and was not handed on.
    private let gathered: BodyBuffer

    private let startedAt = Exchange.now
    private var sentAt: Double?
    private var bodyBeganAt = 0.0
    /// How long the origin had to wait for the body's consumer, or for the speed limit.
    private var heldSeconds = 0.0
    private var reader: HeadReader
    private var speed: SpeedWatch
    private var denied: IPAddress?
    private var hasOpened = false

    private(set) var stop: Stop?
    private(set) var peer: IPAddress?
    private(set) var bodyBytes: Int64 = 0

    init(
        _ request: TransferRequest, cancellation: TransferCancellation?,
        onHead: @escaping (ResponseHead) -> Bool,
        onBody: @escaping (UnsafeRawBufferPointer) -> Bool
    ) {
        (self.request, self.cancellation) = (request, cancellation)
        (self.onHead, self.onBody) = (onHead, onBody)
        reader = HeadReader(limitBytes: request.limits.headBytes)
        speed = SpeedWatch(request.limits)
        // A body that is held back is handed on as it comes.
        gathered = BodyBuffer(gathers: request.limits.bytesPerSecond == nil)
    }

    var head: ResponseHead? { reader.head }
    var seconds: Double { Self.now - startedAt }

    /// Seconds on a clock that nobody sets.
    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Ends it when it was cancelled or one of its times is over.
    ///
    /// - Returns: Whether it goes on.
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

    /// What it failed with, given what libcurl says.
    func failure(_ code: CURLcode) -> CurlError.Kind {
        if case .failure(let kind) = stop { return kind }
        if let denied, !hasOpened { return .denied(denied) }
        return CurlError.Kind(
            code: code, isHeadOpen: sentAt != nil && head == nil, bodyBytes: bodyBytes)
    }

    /// The first reason stays.
    private func end(_ reason: Stop) -> Bool {
        stop = stop ?? reason
        return false
    }
}

extension Exchange {
    /// Opens a socket for an address that is permitted.
    func openSocket(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        var bytes = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        let count = Int(takeup_socket_address(address, &bytes, &port))
        // Whatever is no Internet address, a socket in the file system say, is never opened.
        guard let target = IPAddress(bytes: Array(bytes[..<count])) else {
            return takeup_no_socket
        }
        guard request.mayConnect(target, port) else {
            denied = target
            return takeup_no_socket
        }
        hasOpened = true
        let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, type, address.pointee.protocol)
    }

    /// Looks once more at who is connected, for a kept connection was opened for another request.
    func willSend(to address: String, port: Int32) -> Bool {
        guard let target = IPAddress(address), let port = UInt16(exactly: port) else {
            return end(.failure(.connect))
        }
        guard request.mayConnect(target, port) else { return end(.failure(.denied(target))) }
        peer = target
        sentAt = sentAt ?? Self.now
        return goesOn()
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

    /// Hands on what was gathered.
    ///
    /// - Returns: Whether more is wanted.
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

    /// Waits until the body is no faster than its limit; libcurl's own limit lets megabytes pass.
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
