import Foundation
import TakeupFields
import TakeupHTTP
import TestSupport
import Testing

@Suite("Files over HTTP", .timeLimit(.minutes(2)))
struct FileBodyTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    /// Serves the first bytes of `TestSource`, from a file.
    private static func serve(
        _ count: Int64, in directory: borrowing TemporaryDirectory
    ) throws -> (HTTPServer, TestHandler) {
        let path = try directory.write(Data(TestSource.bytes(0..<count)), to: "\(count)")
        let file = try OpenTestFile(path)
        let handler = TestHandler { request in
            let answer = RangeAnswer(
                method: request.method, request: request.fields,
                of: Representation(
                    length: count, tag: EntityTag("\"a\""),
                    modified: HTTPDate(secondsSince1970: 784_111_777), contentType: "video/mp4"),
                now: HTTPDate(secondsSince1970: Int64(time(nil))), boundary: "B")
            return .answer(
                answer.response { range in
                    guard let range else { return .none }
                    return .file(file.part(range.lowerBound, range.upperBound - range.lowerBound))
                })
        }
        return (try HTTPServer(handler), handler)
    }

    @Test("answer the matrix of ranges exactly, to curl")
    func matrix() throws {
        let directory = try TemporaryDirectory()
        let (server, handler) = try Self.serve(1000, in: directory)
        defer { server.stop(graceSeconds: 1) }
        let rows: [(fields: [String], status: Int, range: String?, bytes: Range<Int64>?)] = [
            ([], 200, nil, 0..<1000), (["bytes=0-8"], 206, "bytes 0-8/1000", 0..<9),
            (["bytes=-10"], 206, "bytes 990-999/1000", 990..<1000),
            (["bytes=990-"], 206, "bytes 990-999/1000", 990..<1000),
            (["bytes=990-1990"], 206, "bytes 990-999/1000", 990..<1000),
            (["bytes=0-0"], 206, "bytes 0-0/1000", 0..<1),
            (["bytes=999-"], 206, "bytes 999-999/1000", 999..<1000),
            (["bytes=-5000"], 206, "bytes 0-999/1000", 0..<1000),
            (["bytes=-0"], 416, "bytes */1000", nil), (["bytes=1000-"], 416, "bytes */1000", nil),
            (["bytes=5-2"], 200, nil, 0..<1000), (["bytes=alpha"], 200, nil, 0..<1000),
            (["bytes=10"], 200, nil, 0..<1000), (["bytes=10-alpha"], 200, nil, 0..<1000),
            (["bytes=9223372036854775807-0"], 200, nil, 0..<1000),
            (["bytes=18446744073709551616-"], 200, nil, 0..<1000),
            (["items=0-5"], 200, nil, 0..<1000),
            (["bytes=0-8", "If-Range: \"a\""], 206, "bytes 0-8/1000", 0..<9),
            (["bytes=0-8", "If-Range: \"b\""], 200, nil, 0..<1000),
            (["bytes=0-8", "If-Range: W/\"a\""], 200, nil, 0..<1000),
            (["bytes=0-8", "If-Range: \(Self.date)"], 206, "bytes 0-8/1000", 0..<9),
            (["bytes=0-8", "If-None-Match: \"a\""], 304, nil, nil),
            (["bytes=0-8", "If-Match: \"b\""], 412, nil, nil),
        ]
        for row in rows {
            var arguments = ["-s", "-i", "http://127.0.0.1:\(server.port)/"]
            if let range = row.fields.first { arguments += ["-H", "Range: \(range)"] }
            for field in row.fields.dropFirst() { arguments += ["-H", field] }
            let outcome = try Subprocess.run("curl", arguments, timeoutSeconds: 20)
            var bytes = Array(outcome.standardOutput)
            let response = try #require(RawResponse(&bytes, hasBody: row.status != 304))
            let wanted = row.bytes.map(TestSource.bytes) ?? []
            #expect(response.status == row.status, "\(row.fields)")
            #expect(response["Content-Range"] == row.range, "\(row.fields)")
            #expect(response.body == wanted, "\(row.fields)")
            #expect(bytes.isEmpty, "\(row.fields)")
            let length = row.status == 304 ? "1000" : "\(wanted.count)"
            #expect(response["Content-Length"] == length, "\(row.fields)")
        }
        let records = handler.records(rows.count)
        #expect(records.map(\.sentBytes) == rows.map { Int64($0.bytes?.count ?? 0) })
    }

    @Test("come in several parts")
    func parts() throws {
        let directory = try TemporaryDirectory()
        let (server, _) = try Self.serve(1000, in: directory)
        defer { server.stop(graceSeconds: 1) }
        for range in ["0-9,-10,10-19", "0-9,-10,100000-,10-19"] {
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: h\r\nRange: bytes=\(range)\r\n\r\n")
            let response = try client.response()
            #expect(response.status == 206)
            #expect(response["Content-Type"] == "multipart/byteranges; boundary=B")
            let part = "Content-Type: video/mp4\r\nContent-Range: bytes "
            let expected =
                Array("--B\r\n\(part)0-19/1000\r\n\r\n".utf8) + TestSource.bytes(0..<20)
                + Array("\r\n--B\r\n\(part)990-999/1000\r\n\r\n".utf8)
                + TestSource.bytes(990..<1000) + Array("\r\n--B--\r\n".utf8)
            #expect(response.body == expected)
        }
    }

    @Test("of any size are sent exactly, over TCP and over a Unix socket")
    func sizes() throws {
        let directory = try TemporaryDirectory()
        for count in [0, 1, 32_768, 5_000_001] as [Int64] {
            let (server, handler) = try Self.serve(count, in: directory)
            defer { server.stop(graceSeconds: 1) }
            let wanted = TestSource.bytes(0..<count)
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\nHEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.response().body == wanted)
            #expect(try client.response(hasBody: false)["Content-Length"] == "\(count)")
            let path = directory.file("s\(count)")
            let local = try HTTPServer(.unix(path: path), handler: handler)
            defer { local.stop(graceSeconds: 1) }
            let other = try RawClient(path: path)
            other.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try other.response().body == wanted)
            // Two connections end in any order.
            #expect(handler.records(3).map(\.sentBytes).sorted() == [0, count, count])
        }
    }

    @Test("count what was sent of them when the client leaves")
    func left() throws {
        let directory = try TemporaryDirectory()
        let (server, handler) = try Self.serve(20_000_000, in: directory)
        defer { server.stop(graceSeconds: 1) }
        var got = 0
        do {
            let client = try RawClient(port: server.port, receiveBytes: 65_536)
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            while got < 1_000_000 { got += client.receive().bytes.count }
        }
        let record = try #require(handler.records(1).first)
        #expect(!record.isComplete)
        #expect(record.sentBytes >= Int64(got) - 500 && record.sentBytes < 20_000_000)
    }
}
