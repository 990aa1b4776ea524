import Testing

@testable import TakeupCurl

@Suite("Head reader")
struct HeadReaderTests {
    private func read(_ lines: [String], limit: Int = 1000) -> [HeadReader.Step] {
        var reader = HeadReader(limitBytes: limit)
        return lines.map { line in
            var bytes = Array(line.utf8)
            return bytes.withUnsafeMutableBytes { reader.take(UnsafeRawBufferPointer($0)) }
        }
    }

    @Test("takes line ends with and without a return, and values without space")
    func lineEnds() {
        let head = ResponseHead(
            status: 200, fields: [.init(name: "a", value: "b"), .init(name: "c", value: "")])
        let steps = read(["HTTP/1.0 200\n", "A:b\n", "C:\r\n", "no field\r\n", "\n"])
        #expect(steps == [.more, .more, .more, .more, .complete(head)])
    }

    @Test("counts each byte against its limit")
    func limit() {
        let lines = ["HTTP/1.1 200 OK\r\n", "A: b\r\n", "\r\n"]
        #expect(
            read(lines, limit: 25).last
                == .complete(
                    ResponseHead(
                        status: 200, fields: [.init(name: "a", value: "b")])))
        #expect(read(lines, limit: 24).last == .tooLarge)
    }

    @Test(
        "refuses what is no status line",
        arguments: [
            "\r\n", "A: b\r\n", "HTTP/1.1\r\n", "HTTP/1.1 99 No\r\n", "HTTP/1.1 +20 No\r\n",
            "HTTP/1.1 600 No\r\n", "HTTP/1.1 2000 No\r\n",
        ])
    func statusLine(line: String) {
        #expect(read([line]) == [.malformed])
    }
}
