import Foundation
import TestSupport
import Testing

@testable import TakeupHTTP

@Suite("Where a server listens", .timeLimit(.minutes(1)))
struct ListeningTests {
    private static var handler: TestHandler {
        TestHandler { .answer(HTTPResponse(200, body: .text("peer \($0.peer)"))) }
    }

    private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test("may be a Unix socket, for its owner alone, which is gone afterwards")
    func unixSocket() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        let server = try HTTPServer(.unix(path: path), handler: Self.handler)
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let client = try RawClient(path: path)
        client.send(Self.get)
        #expect(try client.response().text == "peer ")
        // Somebody listens there.
        #expect(throws: HTTPServerError(operation: "listen on \(path)", errno: EADDRINUSE)) {
            try HTTPServer(.unix(path: path), handler: Self.handler)
        }
        server.stop(graceSeconds: 1)
        #expect(lstat(path, &status) != 0)
    }

    @Test("may be a Unix socket that a killed server left, but no other file")
    func stale() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        try directory.write(Data("mine".utf8), to: "s")
        #expect(throws: HTTPServerError.self) {
            try HTTPServer(.unix(path: path), handler: Self.handler)
        }
        #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
        unlink(path)
        var left = try Subprocess(
            "python3",
            [
                "-c",
                "import socket,sys;s=socket.socket(socket.AF_UNIX);s.bind(sys.argv[1]);s.listen();print('up',flush=True);s.accept()",
                path,
            ])
        let isUp = left.waitForOutput(containing: "up")
        #expect(isUp)
        left.signal(SIGKILL)
        _ = left.wait()
        let server = try HTTPServer(.unix(path: path, mode: 0o660), handler: Self.handler)
        defer { server.stop(graceSeconds: 1) }
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o660)
    }

    @Test("may be a socket that somebody else opened")
    func given() throws {
        let first = try HTTPServer(Self.handler)
        let port = first.port
        first.stop(graceSeconds: 0)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, 4)
        #expect(throws: HTTPServerError.self) {
            try HTTPServer(.descriptor(descriptor), handler: Self.handler)
        }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isBound && listen(descriptor, 5) == 0)
        let server = try HTTPServer(.descriptor(descriptor), handler: Self.handler)
        defer { server.stop(graceSeconds: 1) }
        #expect(server.address == .tcp(host: "127.0.0.1", port: port))
        let client = try RawClient(port: port)
        client.send(Self.get)
        #expect(try client.response().text == "peer 127.0.0.1")
    }

    @Test("is free again at once, and taken while it is used")
    func again() throws {
        let first = try HTTPServer(Self.handler)
        let address = HTTPServer.Address.tcp(host: "127.0.0.1", port: first.port)
        let client = try RawClient(port: first.port)
        client.send(Self.get)
        _ = try client.response()
        #expect(
            throws: HTTPServerError(
                operation: "listen on 127.0.0.1:\(first.port)", errno: EADDRINUSE)
        ) { try HTTPServer(address, handler: Self.handler) }
        first.stop(graceSeconds: 1)
        try HTTPServer(address, handler: Self.handler).stop(graceSeconds: 0)
        #expect(throws: HTTPServerError.self) {
            try HTTPServer(.tcp(host: "example.com", port: 0), handler: Self.handler)
        }
    }

    @Test("has room for so many connections, and for others once some have ended")
    func limit() throws {
        var limits = HTTPServer.Limits()
        limits.connections = 2
        let server = try HTTPServer(Self.handler, limits: limits)
        defer { server.stop(graceSeconds: 1) }
        func isServed() throws -> RawClient? {
            let client = try RawClient(port: server.port)
            client.send(Self.get)
            return (try? client.response()) == nil ? nil : client
        }
        var first = try isServed()
        let second = try isServed()
        #expect(first != nil && second != nil)
        // One that finds no room is closed, or waits until there is.
        let third = try RawClient(port: server.port)
        third.send(Self.get)
        var entry = pollfd(fd: third.socket, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, 50) > 0 { #expect(third.receive().bytes.isEmpty) }
        first = nil
        // The server notices the end of a connection a moment later.
        while try isServed() == nil {}
        withExtendedLifetime(second) {}
    }
}

@Suite("Addresses of clients")
struct PeerAddressTests {
    @Test(
        "are told as text, IPv4 as such also over IPv6",
        arguments: [
            ("::ffff:192.0.2.1", "192.0.2.1", false), ("2001:db8::1", "2001:db8::1", false),
            ("::1", "::1", true), ("::ffff:127.0.0.5", "127.0.0.5", true),
        ])
    func text(written: String, told: String, isLocal: Bool) {
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        inet_pton(AF_INET6, written, &name.sin6_addr)
        let text = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { PeerAddress.text($0) }
        }
        #expect(text == told && PeerAddress.isLocal(text) == isLocal)
    }
}
