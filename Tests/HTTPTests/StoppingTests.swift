import Foundation
import TakeupHTTP
import TakeupLanes
import Testing

@Suite("The end of a server", .timeLimit(.minutes(2)))
struct StoppingTests {
    private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test("lets a running response come to its end, and takes no more")
    func graceful() throws {
        let count: Int64 = 8_000_000
        let handler = TestHandler { _ in
            .answer(HTTPResponse(200, body: .stream(TestSource(count), length: count)))
        }
        let server = try HTTPServer(handler)
        let client = try RawClient(port: server.port)
        client.send(Self.get)
        var got = client.receive(upTo: 1000).bytes.count
        let group = LaneGroup()
        group.start("stop") { server.stop(graceSeconds: 20) }
        while (try? RawClient(port: server.port)) != nil { usleep(1000) }
        while case (let bytes, nil) = client.receive() { got += bytes.count }
        #expect(got > Int(count))
        group.wait()
        #expect(handler.records(1).map(\.isComplete) == [true])
    }

    @Test("takes back no byte of a response that the kernel still holds")
    func tail() throws {
        let count: Int64 = 100_000
        let handler = TestHandler { _ in
            .answer(HTTPResponse(200, body: .stream(TestSource(count), length: count)))
        }
        for _ in 0..<20 {
            let server = try HTTPServer(handler)
            let client = try RawClient(port: server.port, receiveBytes: 4096)
            client.send(Self.get)
            var got = client.receive(upTo: 10).bytes.count
            server.stop(graceSeconds: 20)
            while case (let bytes, nil) = client.receive() { got += bytes.count }
            #expect(got > Int(count))
        }
        #expect(handler.records(20).map(\.isComplete) == Array(repeating: true, count: 20))
    }

    @Test("cuts what does not end in time, visibly")
    func cut() throws {
        let source = TestSource(10_000_000, waitsAt: 1000)
        let handler = TestHandler { _ in
            .answer(HTTPResponse(200, body: .stream(source, length: nil)))
        }
        let server = try HTTPServer(handler)
        let client = try RawClient(port: server.port)
        client.send(Self.get)
        #expect(client.receive(upTo: 100).bytes.count == 100)
        server.stop(graceSeconds: 0.1)
        #expect(source.closes == 1)
        #expect(client.receiveAll().end == .reset)
        #expect(handler.records(1).map(\.isComplete) == [false])
    }

    @Test("leaves time to requests that end by themselves")
    func patience() throws {
        let isWaiting = DispatchSemaphore(value: 0)
        let handler = TestHandler { request in
            isWaiting.signal()
            while !request.isStopping() { usleep(1000) }
            usleep(50_000)
            return .answer(HTTPResponse(200, body: .text("\(request.isAbandoned())")))
        }
        let server = try HTTPServer(handler)
        let client = try RawClient(port: server.port)
        client.send(Self.get)
        isWaiting.wait()
        server.stop(graceSeconds: 20)
        #expect(try client.response().text == "false")
    }

    @Test("is seen at once by requests that wait, and by idle connections")
    func waiting() throws {
        let isWaiting = DispatchSemaphore(value: 0)
        let handler = TestHandler { request in
            isWaiting.signal()
            while !request.isStopping() { usleep(1000) }
            return .answer(HTTPResponse(503, body: .text("stopping")))
        }
        let server = try HTTPServer(handler)
        let idle = try RawClient(port: server.port)
        let client = try RawClient(port: server.port)
        client.send(Self.get)
        isWaiting.wait()
        server.stop(graceSeconds: 20)
        let response = try client.response()
        #expect(response.status == 503 && response["Connection"] == "close")
        #expect(idle.receive().end == .closed)
        server.stop(graceSeconds: 20)
    }
}
