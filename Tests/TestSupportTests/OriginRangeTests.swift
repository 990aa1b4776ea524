import Foundation
import TestSupport
import Testing

@Suite("Test origin: ranges and conditions")
struct OriginRangeTests {
    private static let content = OriginContent.synthetic(length: 1000)

    private func origin(
        tag: OriginEntityTag = .strong("v1"), _ change: (inout OriginFaults) -> Void = { _ in }
    ) throws -> TestOrigin {
        var faults = OriginFaults()
        change(&faults)
        let origin = try TestOrigin()
        origin.serve("/a", OriginObject(Self.content, tag: tag, faults: faults))
        return origin
    }

    @Test(
        "answers every form of a range",
        arguments: [
            ("bytes=0-8", 206, "bytes 0-8/1000", 9), ("bytes=-10", 206, "bytes 990-999/1000", 10),
            ("bytes=990-", 206, "bytes 990-999/1000", 10),
            ("bytes=990-1990", 206, "bytes 990-999/1000", 10),
            ("bytes=0-0", 206, "bytes 0-0/1000", 1), ("bytes=999-", 206, "bytes 999-999/1000", 1),
            ("bytes=-5000", 206, "bytes 0-999/1000", 1000), ("bytes=-0", 416, "bytes */1000", 0),
            ("bytes=1000-", 416, "bytes */1000", 0), ("bytes=5-2", 200, nil, 1000),
            ("bytes=alpha", 200, nil, 1000), ("bytes=10", 200, nil, 1000),
            ("bytes=10-alpha", 200, nil, 1000), ("bytes=", 200, nil, 1000),
            ("bytes=9223372036854775807-0", 200, nil, 1000),
            ("bytes=18446744073709551616-", 416, "bytes */1000", 0),
            ("bytes=0-18446744073709551616", 206, "bytes 0-999/1000", 1000),
            ("items=0-5", 200, nil, 1000), ("BYTES=0-0", 206, "bytes 0-0/1000", 1),
        ] as [(String, Int, String?, Int)])
    func ranges(range: String, status: Int, field: String?, count: Int) throws {
        let answer = try origin().ask("/a", ["Range: \(range)"])
        #expect(answer.status == status)
        #expect(answer.fields["Content-Range"] == field)
        #expect(answer.fields["Content-Length"] == "\(count)")
        #expect(answer.body.count == count)
        let start = field.flatMap { Int64($0.dropFirst(6).prefix { $0 != "-" }) } ?? 0
        #expect(try answer.body == Self.content.read(start..<start + Int64(count)))
    }

    @Test("answers several ranges with parts, or with the whole when it can only one")
    func severalRanges() throws {
        let origin = try origin()
        let parts = try origin.ask("/a", ["Range: bytes=0-1, -2"])
        #expect(parts.status == 206)
        #expect(parts.fields["Content-Type"] == "multipart/byteranges; boundary=takeup-part-0")
        let text = String(decoding: parts.body, as: Unicode.ASCII.self)
        #expect(text.contains("Content-Range: bytes 0-1/1000\r\n\r\n"))
        #expect(text.contains("Content-Range: bytes 998-999/1000\r\n\r\n"))
        #expect(text.hasSuffix("\r\n--takeup-part-0--\r\n"))
        origin.change("/a") { $0.faults.ranges = .singleOnly }
        #expect(try origin.ask("/a", ["Range: bytes=0-1,-2"]).status == 200)
        #expect(try origin.ask("/a", ["Range: bytes=0-1"]).status == 206)
    }

    @Test(
        "honours the conditions of a request",
        arguments: [
            ("If-Range: \"v1\"", 206), ("If-Range: \"v2\"", 200), ("If-Range: W/\"v1\"", 200),
            ("If-Range: Tue, 14 Nov 2023 22:13:20 GMT", 206),
            ("If-Range: Tue, 14 Nov 2023 22:13:21 GMT", 200), ("If-None-Match: W/\"v1\"", 304),
            ("If-None-Match: \"v0\", \"v1\"", 304), ("If-None-Match: *", 304),
            ("If-None-Match: \"v2\"", 206), ("If-Match: \"v1\"", 206), ("If-Match: \"v2\"", 412),
            ("If-Modified-Since: Tue, 14 Nov 2023 22:13:20 GMT", 304),
            ("If-Modified-Since: Tue, 14 Nov 2023 22:13:19 GMT", 206),
            ("If-Unmodified-Since: Tue, 14 Nov 2023 22:13:19 GMT", 412),
        ])
    func conditions(line: String, status: Int) throws {
        #expect(try origin().ask("/a", ["Range: bytes=0-9", line]).status == status)
    }

    @Test("does not take a weak tag, or a date of the same second, for an If-Range")
    func weakValidators() throws {
        let origin = try origin(tag: .weak("v1"))
        let lines = ["Range: bytes=0-9", "If-Range: W/\"v1\""]
        #expect(try origin.ask("/a", lines).status == 200)
        origin.change("/a") { $0.date = $0.lastModified }
        let dated = ["Range: bytes=0-9", "If-Range: Tue, 14 Nov 2023 22:13:20 GMT"]
        #expect(try origin.ask("/a", dated).status == 200)
    }

    @Test("a HEAD is the head of the whole, and the connection stays")
    func head() throws {
        let origin = try origin()
        let client = try OriginClient(origin)
        let answer = client.ask("/a", ["Range: bytes=0-9"], method: "HEAD")
        #expect(answer.status == 200)
        #expect(answer.fields["Content-Length"] == "1000")
        #expect(answer.fields["ETag"] == "\"v1\"")
        #expect(answer.fields["Last-Modified"] == "Tue, 14 Nov 2023 22:13:20 GMT")
        #expect(client.ask("/a").body.count == 1000)
    }

    @Test("a tag is strong, weak, absent, or another one at every node")
    func tags() throws {
        let origin = try origin(tag: .perRequest)
        let tags = try (0..<2).map { _ in try origin.ask("/a").fields["ETag"] }
        #expect(tags == ["\"node-0\"", "\"node-1\""])
        origin.change("/a") { $0.tag = .weak("x") }
        #expect(try origin.ask("/a").fields["ETag"] == "W/\"x\"")
        origin.change("/a") { ($0.tag, $0.lastModified) = (.absent, nil) }
        let bare = try origin.ask("/a")
        #expect(bare.fields["ETag"] == nil && bare.fields["Last-Modified"] == nil)
    }

    @Test("ignores ranges, says that it does, or hides that it does not")
    func rangesIgnored() throws {
        let origin = try origin { $0.ranges = .ignored }
        #expect(try origin.ask("/a", ["Range: bytes=5-9"]).status == 200)
        origin.change("/a") { $0.faults.acceptRanges = "none" }
        #expect(try origin.ask("/a").fields["Accept-Ranges"] == "none")
        origin.change("/a") { ($0.faults.ranges, $0.faults.acceptRanges) = (.honoured, nil) }
        let hidden = try origin.ask("/a", ["Range: bytes=5-9"])
        #expect(hidden.status == 206 && hidden.fields["Accept-Ranges"] == nil)
    }

    @Test(
        "sends other bytes than asked for",
        arguments: [
            (.shorter(by: 3), "bytes 10-16/1000", 7), (.shorter(by: 99), "bytes 10-10/1000", 1),
            (.longer(by: 5), "bytes 10-24/1000", 15), (.atMost(4), "bytes 10-13/1000", 4),
        ] as [(OriginFaults.RangeShape, String, Int)])
    func shapes(shape: OriginFaults.RangeShape, field: String, count: Int) throws {
        let answer = try origin { $0.rangeShape = shape }.ask("/a", ["Range: bytes=10-19"])
        #expect(answer.fields["Content-Range"] == field)
        #expect(try answer.body == Self.content.read(10..<10 + Int64(count)))
    }

    @Test("sends a single range as a part")
    func singlePart() throws {
        let answer = try origin { $0.rangeShape = .multipart }.ask("/a", ["Range: bytes=10-19"])
        #expect(answer.fields["Content-Type"]?.hasPrefix("multipart/byteranges") == true)
        #expect(answer.fields["Content-Range"] == nil)
    }

    @Test(
        "labels a range wrongly",
        arguments: [
            (.shifted(by: 7), "bytes 17-26/1000"), (.total(999_999), "bytes 10-19/999999"),
            (.unknownTotal, "bytes 10-19/*"), (.missing, nil), (.verbatim("octets"), "octets"),
        ] as [(OriginFaults.ContentRangeForm, String?)])
    func labels(form: OriginFaults.ContentRangeForm, field: String?) throws {
        let answer = try origin { $0.contentRange = form }.ask("/a", ["Range: bytes=10-19"])
        #expect(answer.status == 206)
        #expect(answer.fields["Content-Range"] == field)
        #expect(try answer.body == Self.content.read(10..<20))
    }

    @Test("an empty object has no range, or an impossible one")
    func emptyObject() throws {
        let origin = try TestOrigin()
        origin.serve("/e", OriginObject(.bytes([])))
        #expect(try origin.ask("/e").fields["Content-Length"] == "0")
        let right = try origin.ask("/e", ["Range: bytes=0-"])
        #expect(right.status == 416 && right.fields["Content-Range"] == "bytes */0")
        origin.change("/e") { $0.faults.contentRange = .verbatim("bytes 0--1/0") }
        let wrong = try origin.ask("/e", ["Range: bytes=0-"])
        #expect(wrong.status == 206 && wrong.fields["Content-Range"] == "bytes 0--1/0")
    }
}
