import Foundation
import TakeupHTTP
import TakeupLanes

/// Answers by a closure, and keeps what was noted.
final class TestHandler: HTTPHandler {
    private let answer: @Sendable (HTTPRequest) -> RequestPlan
    private let notes = Locked<[ExchangeRecord]>([])
    private let noted = NSCondition()

    init(_ answer: @escaping @Sendable (HTTPRequest) -> RequestPlan) {
        self.answer = answer
    }

    func plan(for request: HTTPRequest) -> RequestPlan { answer(request) }

    func note(_ exchange: ExchangeRecord) {
        noted.lock()
        notes.withLock { $0.append(exchange) }
        noted.broadcast()
        noted.unlock()
    }

    /// Waits until so many exchanges have ended.
    func records(_ count: Int) -> [ExchangeRecord] {
        noted.lock()
        defer { noted.unlock() }
        let end = Date(timeIntervalSinceNow: 20)
        while notes.withLock({ $0.count }) < count, noted.wait(until: end) {}
        return notes.withLock { $0 }
    }
}

/// Makes bytes that are told by their offset, and can fail.
final class TestSource: BodySource {
    struct Broken: Error {}

    private let count: Int64
    private let breaksAt: Int64?
    private let state = Locked((closes: 0, wasAbandoned: false))
    private let waitsAt: Int64?

    init(_ count: Int64, breaksAt: Int64? = nil, waitsAt: Int64? = nil) {
        (self.count, self.breaksAt, self.waitsAt) = (count, breaksAt, waitsAt)
    }

    var closes: Int { state.withLock { $0.closes } }
    var wasAbandoned: Bool { state.withLock { $0.wasAbandoned } }

    /// The bytes repeat after 2048; long enough for any piece of a body.
    private static let block = (0..<65_536 + 2048).map { UInt8(truncatingIfNeeded: $0 * 31 >> 3) }

    static func bytes(_ range: Range<Int64>) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < range.count {
            let start = Int((range.lowerBound + Int64(bytes.count)) % 2048)
            bytes += block[start...].prefix(min(65_536, Int(range.count) - bytes.count))
        }
        return bytes
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, isAbandoned: () -> Bool
    ) throws -> Int {
        if let waitsAt, offset >= waitsAt {
            while !isAbandoned() { usleep(2000) }
            state.withLock { $0.wasAbandoned = true }
            throw Broken()
        }
        if let breaksAt, offset >= breaksAt { throw Broken() }
        let end = min(count, offset + Int64(buffer.count), breaksAt ?? .max, waitsAt ?? .max)
        buffer.copyBytes(from: Self.bytes(offset..<max(offset, end)))
        return Int(max(0, end - offset))
    }

    func close() { state.withLock { $0.closes += 1 } }
}

extension HTTPServer {
    /// On a free port of loopback.
    convenience init(_ handler: TestHandler, limits: Limits = Limits()) throws {
        try self.init(.tcp(host: "127.0.0.1", port: 0), limits: limits, handler: handler)
    }

    var port: UInt16 {
        if case .tcp(_, let port) = address { port } else { 0 }
    }
}
