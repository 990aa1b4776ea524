import Foundation
import TakeupHTTP
import TestSupport
import Testing

@Suite("Mutated requests", .timeLimit(.minutes(3)))
struct MutatedRequestTests {
    private static let seeds = [
        "GET /media/a.mp4?x=1 HTTP/1.1\r\nHost: h\r\nRange: bytes=0-9,-5\r\nIf-Range: \"a\"\r\n\r\n",
        "POST /jobs HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n{\"a\"",
        "PUT /up HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n1;x\r\ne\r\n0\r\nT: 1\r\n\r\n",
        "HEAD http://h:80/a%20b HTTP/1.0\r\nConnection: keep-alive\r\nCookie: a=b; c\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na",
    ]

    private static let words = [
        "\r\n", "\n", "\0", " ", ":", "HTTP/1.1", "Content-Length: 5\r\n", "Host: g\r\n",
        "\r\n\r\n", "%",
        "99999999999999999999", "-1", "chunked", "Transfer-Encoding: chunked\r\n", "\t", "é",
        "?&=&",
    ]

    private static func mutated(_ random: inout SeededRandom) -> [UInt8] {
        var bytes = Array(seeds[random.below(seeds.count)].utf8)
        for _ in 0...random.below(4) {
            guard !bytes.isEmpty else { break }
            let place = random.below(bytes.count)
            switch random.below(6) {
            case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: words[random.below(words.count)].utf8, at: place)
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(20)))
            case 4: bytes += bytes[place...]
            default: bytes.insert(contentsOf: Array(repeating: bytes[place], count: 200), at: place)
            }
        }
        return bytes
    }

    @Test("are all answered or refused, each exchange ends once, and the server lives")
    func mutate() throws {
        let source = TestSource(5000)
        let handler = TestHandler { request in
            switch request.method {
            case "POST": .collect(upTo: 1000) { HTTPResponse(200, body: .bytes($0)) }
            case "PUT": .collect(upTo: 8) { HTTPResponse(201, body: .bytes($0)) }
            case "GET": .answer(HTTPResponse(200, body: .stream(source, length: nil)))
            default: .answer(HTTPResponse(200, body: .text(request.target)))
            }
        }
        let server = try HTTPServer(handler)
        defer { server.stop(graceSeconds: 5) }
        var random = SeededRandom(state: 19)
        for round in 0..<3000 {
            let bytes = Self.mutated(&random)
            let client = try RawClient(port: server.port)
            client.send(bytes)
            client.finish()
            let (text, end) = client.receiveAll()
            #expect(end != .timeout, "round \(round)")
            #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 "), "round \(round)")
            // A refusal is the last thing that a connection carries.
            let parts = text.components(separatedBy: "HTTP/1.1 400 Bad Request\r\n")
            #expect(parts.count <= 2, "round \(round)")
            if parts.count == 2 {
                #expect(
                    !parts[1].contains("\r\nDate: ")
                        || parts[1].components(separatedBy: "\r\nDate: ").count == 2,
                    "round \(round)")
            }
        }
        let client = try RawClient(port: server.port)
        client.send("OPTIONS /alive HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.response().text == "/alive")
    }
}
