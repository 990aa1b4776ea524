import Foundation
import TakeupHTTP
import TakeupLanes
import TestSupport
import Testing

@Suite("Slow and absent clients", .timeLimit(.minutes(2)))
struct SlowClientTests {
    private static var limits: HTTPServer.Limits {
        var limits = HTTPServer.Limits()
        (limits.headSeconds, limits.idleSeconds) = (0.4, 0.8)
        return limits
    }

    /// Sends one byte after another until the server has enough; returns how long that took.
    private static func drip(_ start: String, on client: RawClient) -> Double {
        let began = ContinuousClock.now
        client.send(start)
        var bytes = [UInt8](repeating: 0, count: 256)
        while client.send("a") {
            // Also the pause between two bytes.
            var entry = pollfd(fd: client.socket, events: Int16(POLLIN), revents: 0)
            if poll(&entry, 1, 30) > 0, recv(client.socket, &bytes, bytes.count, 0) <= 0 { break }
        }
        return (ContinuousClock.now - began) / .seconds(1)
    }

    @Test("are cut when their head does not come to an end")
    func slowHead() throws {
        let server = try HTTPServer(
            TestHandler { _ in .answer(HTTPResponse(200)) }, limits: Self.limits)
        defer { server.stop(graceSeconds: 1) }
        let seconds = Self.drip("GET / HTTP/1.1\r\nX: ", on: try RawClient(port: server.port))
        #expect(seconds >= 0.3 && seconds < 5)
    }

    @Test("are cut when their body hardly comes, and its receiver learns of it")
    func slowBody() throws {
        let handler = TestHandler { _ in .collect(upTo: 10_000) { _ in HTTPResponse(200) } }
        let server = try HTTPServer(handler, limits: Self.limits)
        defer { server.stop(graceSeconds: 1) }
        let seconds = Self.drip(
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9999\r\n\r\n",
            on: try RawClient(port: server.port))
        #expect(seconds >= 0.7 && seconds < 5)
        let record = try #require(handler.records(1).first)
        #expect(record.status == 0 && record.receivedBytes > 0 && !record.isComplete)
    }

    @Test("are cut when they send no further request, and get all of the one before")
    func idle() throws {
        let server = try HTTPServer(
            TestHandler { _ in .answer(HTTPResponse(200, body: .text("ok"))) },
            limits: Self.limits)
        defer { server.stop(graceSeconds: 1) }
        let client = try RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.response().text == "ok")
        let (bytes, end) = client.receive()
        #expect(bytes.isEmpty && end != .timeout)
    }

    @Test(
        "are cut when they stop to read, however the body is made",
        arguments: ["file", "stream", "chunks"])
    func stoppedReading(body: String) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("zeros")
        try directory.write(Data(count: 50_000_000), to: "zeros")
        let source = TestSource(50_000_000)
        let file = try OpenTestFile(path)
        let handler = TestHandler { _ in
            .answer(
                HTTPResponse(
                    200,
                    body: body == "file"
                        ? .file(file.part(0, 50_000_000))
                        : .stream(source, length: body == "chunks" ? nil : 50_000_000)))
        }
        let server = try HTTPServer(handler, limits: Self.limits)
        defer { server.stop(graceSeconds: 1) }
        let client = try RawClient(port: server.port, receiveBytes: 8192)
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        let record = try #require(handler.records(1).first)
        #expect(!record.isComplete && record.status == 200)
        #expect(record.sentBytes > 0 && record.sentBytes < 50_000_000)
        #expect(body == "file" || source.closes == 1)
        withExtendedLifetime(client) {}
    }

    @Test("that read a little at a time are served to the end")
    func slowReader() throws {
        let count: Int64 = 3_000_000
        let handler = TestHandler { _ in
            .answer(HTTPResponse(200, body: .stream(TestSource(count), length: count)))
        }
        let server = try HTTPServer(handler, limits: Self.limits)
        defer { server.stop(graceSeconds: 1) }
        let client = try RawClient(port: server.port, receiveBytes: 65_536)
        client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        var got = 0
        let began = ContinuousClock.now
        while true {
            let (bytes, end) = client.receive(upTo: 16_384)
            if end != nil { break }
            got += bytes.count
            // Paced so that the whole takes longer than any one deadline.
            var entry = pollfd(fd: -1, events: 0, revents: 0)
            if Double(got) / 2_000_000 > (ContinuousClock.now - began) / .seconds(1) {
                poll(&entry, 1, 10)
            }
        }
        #expect(got > Int(count))
        #expect(handler.records(1).map(\.sentBytes) == [count])
        #expect((ContinuousClock.now - began) / .seconds(1) > 0.8)
    }

    @Test("that leave are seen by whoever waits for long")
    func left() throws {
        let sawIt = Locked(false)
        let isWaiting = DispatchSemaphore(value: 0)
        let handler = TestHandler { request in
            isWaiting.signal()
            while !request.isAbandoned() { usleep(2000) }
            sawIt.withLock { $0 = true }
            return .answer(HTTPResponse(200))
        }
        let server = try HTTPServer(handler)
        defer { server.stop(graceSeconds: 1) }
        do {
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            isWaiting.wait()
        }
        #expect(handler.records(1).count == 1)
        #expect(sawIt.withLock { $0 })
    }

    @Test("that leave a stream end its source")
    func leftStream() throws {
        let source = TestSource(10_000_000, waitsAt: 100_000)
        let handler = TestHandler { _ in
            .answer(HTTPResponse(200, body: .stream(source, length: nil)))
        }
        let server = try HTTPServer(handler)
        defer { server.stop(graceSeconds: 1) }
        do {
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            var got = 0
            while got < 90_000 { got += client.receive().bytes.count }
        }
        let record = try #require(handler.records(1).first)
        #expect(source.wasAbandoned && source.closes == 1)
        #expect(record.sentBytes == 100_000 && !record.isComplete)
    }

    @Test("in great number hold little memory")
    func manyReaders() throws {
        let count: Int64 = 20_000_000
        let handler = TestHandler { _ in
            .answer(HTTPResponse(200, body: .stream(TestSource(count), length: count)))
        }
        let server = try HTTPServer(handler)
        defer { server.stop(graceSeconds: 0) }
        let before = Self.residentBytes
        var clients: [RawClient] = []
        for _ in 0..<200 {
            let client = try RawClient(port: server.port, receiveBytes: 4096)
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            clients.append(client)
        }
        for client in clients { #expect(client.receive(upTo: 10).bytes.count == 10) }
        #expect(server.exchangesInFlight == 200)
        // A thousand may have 256 MB; a sanitizer keeps what others have freed.
        #expect(Self.residentBytes - before < 200 * 256_000 || Sanitizer.isOn)
    }

    private static var residentBytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = status.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }
}

/// A file that stays open while it is sent.
final class OpenTestFile: Sendable {
    let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
    }

    deinit { close(descriptor) }

    func part(_ offset: Int64, _ count: Int64) -> FilePart {
        FilePart(owner: self, descriptor: descriptor, offset: offset, count: count)
    }
}
