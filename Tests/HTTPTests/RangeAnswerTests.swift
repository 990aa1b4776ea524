import TakeupFields
import TakeupHTTP
import Testing

@Suite("Answers to requests for ranges")
struct RangeAnswerTests {
    private static let now = HTTPDate(secondsSince1970: 784_111_777 + 60)
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private static func answer(
        _ fields: [(String, String)], method: String = "GET", length: Int64? = 1000
    ) -> RangeAnswer {
        RangeAnswer(
            method: method, request: HTTPFields(fields),
            of: Representation(
                length: length, tag: EntityTag("\"a\""),
                modified: HTTPDate(secondsSince1970: 784_111_777), contentType: "video/mp4",
                fields: [("Cache-Control", "no-cache"), ("Repr-Digest", "d")]),
            now: now, boundary: "B")
    }

    @Test(
        "choose status and bytes",
        arguments: [
            ([], 200, .whole), ([("Range", "bytes=0-8")], 206, .part(0..<9)),
            ([("Range", "bytes=-0")], 416, .nothing), ([("Range", "bytes=1000-")], 416, .nothing),
            ([("Range", "bytes=5-2")], 200, .whole), ([("Range", "items=0-5")], 200, .whole),
            ([("Range", "bytes=0-0"), ("Range", "bytes=1-1")], 200, .whole),
            (
                [("Range", "bytes=0-9,-10,10-19")], 206,
                .parts([0..<20, 990..<1000], boundary: "B")
            ),
            // Several parts that do not pay.
            ([("Range", "bytes=0-399,-400")], 200, .whole),
            ([("Range", "bytes=0-449,-500")], 206, .part(0..<1000)),
            ([("Range", "bytes=0-349,-500")], 200, .whole),
            ([("Range", "bytes=0-8"), ("If-Range", "\"a\"")], 206, .part(0..<9)),
            ([("Range", "bytes=0-8"), ("If-Range", "\"b\"")], 200, .whole),
            ([("Range", "bytes=0-8"), ("If-Range", date)], 206, .part(0..<9)),
            ([("Range", "bytes=1000-"), ("If-Range", "\"b\"")], 200, .whole),
            ([("Range", "bytes=0-8"), ("If-None-Match", "\"a\"")], 304, .nothing),
            ([("Range", "bytes=-0"), ("If-None-Match", "\"a\"")], 304, .nothing),
            ([("Range", "bytes=0-8"), ("If-Match", "\"b\"")], 412, .nothing),
        ] as [([(String, String)], Int, RangeAnswer.Content)])
    func choose(fields: [(String, String)], status: Int, content: RangeAnswer.Content) {
        let answer = Self.answer(fields)
        #expect(answer.status == status)
        #expect(answer.content == content)
    }

    @Test("tell HEAD what GET would, without a part")
    func head() {
        let get = Self.answer([])
        let head = Self.answer([("Range", "bytes=0-8")], method: "HEAD")
        #expect(head.status == 200 && head.content == .whole)
        #expect(HTTPFields(head.fields) == HTTPFields(get.fields))
        let response = head.response { _ in
            Issue.record("asked for bytes")
            return .none
        }
        #expect(response.body.length == 1000)
    }

    @Test("name length, range and validators")
    func fields() {
        let part = HTTPFields(Self.answer([("Range", "bytes=0-8")]).fields)
        #expect(part["Content-Range"] == "bytes 0-8/1000")
        #expect(part["ETag"] == "\"a\"" && part["Last-Modified"] == Self.date)
        #expect(part["Accept-Ranges"] == "bytes" && part["Cache-Control"] == "no-cache")
        #expect(part["Content-Type"] == "video/mp4")
        let none = HTTPFields(Self.answer([("Range", "bytes=1000-")]).fields)
        #expect(none["Content-Range"] == "bytes */1000")
        #expect(part["Repr-Digest"] == "d" && none["Repr-Digest"] == nil)
        let unchanged = HTTPFields(Self.answer([("If-None-Match", "*")]).fields)
        #expect(unchanged["ETag"] == "\"a\"" && unchanged["Content-Type"] == nil)
    }

    @Test(
        "send the whole of what has no known length",
        arguments: ["bytes=0-", "bytes=5-9", "bytes=-1"])
    func unknownLength(range: String) {
        let answer = Self.answer([("Range", range)], length: nil)
        #expect(answer.status == 200 && answer.content == .whole)
        #expect(HTTPFields(answer.fields)["Accept-Ranges"] == nil)
        var asked: [Range<Int64>?] = []
        let response = answer.response {
            asked.append($0)
            return .stream(TestSource(3), length: nil)
        }
        #expect(asked == [nil] && response.body.length == nil)
    }

    @Test(
        "write parts as multipart/byteranges, whatever pieces they are read in",
        arguments: [1, 7, 4096])
    func multipart(step: Int) throws {
        let answer = Self.answer([("Range", "bytes=0-1,500-502")])
        let response = answer.response { range in
            .bytes(TestSource.bytes(range ?? 0..<0))
        }
        guard case .stream(let source, let length) = response.body else {
            Issue.record("no stream")
            return
        }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: step)
        while true {
            let count = try buffer.withUnsafeMutableBytes {
                try source.read(into: $0, at: Int64(all.count)) { false }
            }
            if count == 0 { break }
            all += buffer.prefix(count)
        }
        let text = "--B\r\nContent-Type: video/mp4\r\nContent-Range: bytes "
        let expected =
            Array("\(text)0-1/1000\r\n\r\n".utf8) + TestSource.bytes(0..<2)
            + Array("\r\n\(text)500-502/1000\r\n\r\n".utf8) + TestSource.bytes(500..<503)
            + Array("\r\n--B--\r\n".utf8)
        #expect(all == expected)
        #expect(length == Int64(expected.count))
        #expect(
            HTTPFields(response.fields.all.map { ($0.name, $0.value) })["Content-Type"]
                == "multipart/byteranges; boundary=B")
    }

    @Test("break a body whose part ends early, and close its parts once")
    func short() throws {
        let short = TestSource(3)
        let body = ComposedBody.joining([.stream(short, length: 5), .text("tail")])
        guard case .stream(let source, 9) = body else {
            Issue.record("no stream of nine bytes")
            return
        }
        var buffer = [UInt8](repeating: 0, count: 16)
        let first = try buffer.withUnsafeMutableBytes { try source.read(into: $0, at: 0) { false } }
        #expect(first == 3)
        #expect(throws: (any Error).self) {
            try buffer.withUnsafeMutableBytes { try source.read(into: $0, at: 3) { false } }
        }
        source.close()
        #expect(short.closes == 1)
    }
}
