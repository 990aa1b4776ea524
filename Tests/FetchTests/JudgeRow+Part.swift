extension JudgeRow {
    private static func range(_ text: String) -> String { "content-range: bytes \(text)" }
    private static let future = "last-modified: Sun, 21 Nov 2027 12:00:00 GMT"
    private static let tag = #"etag: "a""#

    /// Answers with a part of the object.
    static let part: [JudgeRow] = [
        JudgeRow(
            "206 with what was asked for", asked: 500, known: tagged,
            (206, [range("500-999/1000"), "content-length: 500", tag]), "store 500+500 of 1000"),
        JudgeRow(
            "206 to the first request", (206, [range("0-999/1000"), tag]), "store 0+1000 of 1000"),
        JudgeRow(
            "names of fields in any case", (206, ["CONTENT-RANGE: Bytes 0-9/10"]),
            "store 0+10 of 10"),
        JudgeRow(
            "206 without a length, or chunked", asked: 500, known: tagged,
            (206, [range("500-999/1000"), "transfer-encoding: chunked", tag]),
            "store 500+500 of 1000"),
        JudgeRow(
            "206 with a shorter range", asked: 500, known: tagged,
            (206, [range("500-599/1000"), tag]), "store 500+100 of 1000"),
        JudgeRow(
            "206 with a longer range", asked: 500, known: tagged,
            (206, [range("400-999/1000"), tag]), "store 400+600 of 1000"),
        JudgeRow(
            "206 with another range", asked: 500, known: tagged,
            (206, [range("0-99/1000"), tag]), "store 0+100 of 1000"),
        JudgeRow(
            "206 although Accept-Ranges says none", asked: 500, known: tagged,
            (206, [range("500-999/1000"), "accept-ranges: none", tag]), "store 500+500 of 1000"),
        JudgeRow(
            "206 without the whole length (/*), first", (206, [range("0-1/*")]), "store 0+2 of ?"),
        JudgeRow(
            "206 without the whole length, known tag", asked: 500, known: tagged,
            (206, [range("500-999/*"), tag]), "store 500+500 of 1000"),
        JudgeRow(
            "206 without the whole length, nothing in common", asked: 2, known: nothing,
            (206, [range("2-3/*")]), "askWhole"),
        JudgeRow(
            "206 that leaves out the tag, same length", asked: 500, known: tagged,
            (206, [range("500-999/1000")]), "store 500+500 of 1000"),
        JudgeRow(
            "206 of an origin without validators, same length", asked: 500, known: bare,
            (206, [range("500-999/1000")]), "store 500+500 of 1000"),
        JudgeRow(
            "206 with another strong tag", asked: 500, known: tagged,
            (206, [range("500-999/1000"), #"etag: "b""#]), "changed"),
        JudgeRow(
            "206 with a weak tag in place of the strong one", asked: 500, known: tagged,
            (206, [range("500-999/1000"), #"etag: W/"a""#]), "changed"),
        JudgeRow(
            "206 with the same weak tag", asked: 500, known: weak,
            (206, [range("500-999/1000"), #"etag: W/"a""#]), "store 500+500 of 1000"),
        JudgeRow(
            "206 with the same weak tag and no length", asked: 500, known: weak,
            (206, [range("500-999/*"), #"etag: W/"a""#]), "askWhole"),
        JudgeRow(
            "206 with another weak tag", asked: 500, known: weak,
            (206, [range("500-999/1000"), #"etag: W/"b""#]), "changed"),
        JudgeRow(
            "206 with the same date", asked: 500, known: dated,
            (206, [range("500-999/1000"), modified]), "store 500+500 of 1000"),
        JudgeRow(
            "206 with another date", asked: 500, known: dated,
            (206, [range("500-999/1000"), "last-modified: Sat, 21 Nov 2026 09:00:00 GMT"]),
            "changed"),
        JudgeRow(
            "206 with the same date that is not strong, same length", asked: 500,
            known: version([modified]), (206, [range("500-999/1000"), modified]),
            "store 500+500 of 1000"),
        JudgeRow(
            "206 with the same date, but neither strong nor with a length", asked: 500,
            known: version([modified], length: nil), (206, [range("500-999/*"), modified]),
            "askWhole"),
        JudgeRow(
            "206 with a date in the future, the same as before", asked: 500,
            known: version([date, future]),
            (206, [range("500-999/1000"), date, future]), "store 500+500 of 1000"),
        JudgeRow(
            "other bytes of the same length, without validators", asked: 500, known: bare,
            (206, [range("500-999/1000"), date]), "store 500+500 of 1000"),
        JudgeRow(
            "206 from another node: other tag, same date and length", asked: 500, known: full,
            (206, [range("500-999/1000"), #"etag: "node2""#, modified]), "store 500+500 of 1000"),
        JudgeRow(
            "the same within the second of the change", asked: 500,
            known: version([date, future, #"etag: "a""#]),
            (206, [range("500-999/1000"), #"etag: "node2""#, date, future]), "changed"),
        JudgeRow(
            "206 from another node: other tag and date", asked: 500, known: full,
            (
                206,
                [
                    range("500-999/1000"), #"etag: "node2""#,
                    "last-modified: Sat, 21 Nov 2026 09:00:00 GMT",
                ]
            ), "changed"),
        JudgeRow(
            "the object grew, or its whole length is wrong", asked: 500, known: tagged,
            (206, [range("500-999/1500"), tag]), "changed"),
        JudgeRow(
            "the object was truncated", asked: 500, known: bare, (206, [range("500-699/700")]),
            "changed"),
        JudgeRow(
            "a range beyond the known length", asked: 500, known: tagged,
            (206, [range("500-1499/*"), tag]), "changed"),
        JudgeRow(
            "several parts for one range", asked: 500, known: tagged,
            (206, ["content-type: multipart/byteranges; boundary=x", "content-length: 700"]),
            "askWhole"),
        JudgeRow(
            "206 without Content-Range", asked: 500, known: tagged, (206, [tag]),
            "askWhole"),
        JudgeRow(
            "Content-Range with its last byte before the first", asked: 500,
            (206, [range("500-400/1000")]), "askWhole"),
        JudgeRow(
            "Content-Range with its last byte beyond the length", asked: 500,
            (206, [range("500-1000/1000")]), "askWhole"),
        JudgeRow(
            "Content-Range with numbers beyond 63 bits", asked: 500,
            (206, [range("500-9223372036854775807/*")]), "askWhole"),
        JudgeRow(
            "Content-Range of a 416 on a 206", (206, [range("*/1000")]), "askWhole"),
        JudgeRow(
            "Content-Range twice, different", (206, [range("0-1/9"), range("2-3/9")]),
            "refuse invalidResponse"),
        JudgeRow(
            "Content-Length other than that of Content-Range", asked: 500, known: tagged,
            (206, [range("500-999/1000"), "content-length: 400", tag]), "askWhole"),
        JudgeRow(
            "206 in gzip", asked: 500, known: tagged,
            (206, [range("500-999/1000"), "content-encoding: gzip"]), "refuse notMedia"),
        JudgeRow(
            "206 of an object larger than the limit", (206, [range("0-9/1000001")]),
            "refuse tooLarge"),
        JudgeRow(
            "206 of unknown length beyond the limit", asked: 999_999,
            (206, [range("999999-1000009/*")]), "refuse tooLarge"),
    ]
    /// Parts with the status of a whole.
    static let partAsWhole: [JudgeRow] = [
        JudgeRow(
            "200 with Content-Range", count: 262_144,
            (200, [range("0-262143/482596"), "content-length: 262144", tag]),
            "store 0+262144 of 482596"),
        JudgeRow(
            "203 with Content-Range", asked: 500, count: 500, known: tagged,
            (203, [range("500-999/1000"), "content-length: 500", tag]), "store 500+500 of 1000"),
        JudgeRow(
            "200 with Content-Range, of another version", asked: 500, count: 500, known: tagged,
            (200, [range("500-999/1000"), "content-length: 500", #"etag: "b""#]), "changed"),
        JudgeRow(
            "200 with Content-Range, without a length, or chunked", asked: 500, known: tagged,
            (200, [range("500-999/1000"), "transfer-encoding: chunked", tag]),
            "store 500+500 of 1000"),
        JudgeRow(
            "200 with Content-Range, as long as the object", count: 10,
            (200, [range("0-9/1000"), "content-length: 1000"]), "store 0+1000 of 1000"),
        JudgeRow(
            "200 with the Content-Range of a 416, as long as the object",
            (200, [range("*/1000"), "content-length: 1000"]), "store 0+1000 of 1000"),
        JudgeRow(
            "200 with a Content-Range and another length",
            (200, [range("0-9/1000"), "content-length: 20"]), "askWhole"),
        JudgeRow(
            "200 with a malformed Content-Range",
            (200, [range("0-9"), "content-length: 10"]), "askWhole"),
        JudgeRow(
            "several parts with the status of a whole",
            (200, ["content-type: multipart/byteranges; boundary=x", "content-length: 700"]),
            "askWhole"),
        JudgeRow(
            "200 that is shorter than the requested part", count: 262_144,
            (200, ["content-length: 65536", tag]), "store 0+65536 of 65536"),
        JudgeRow(
            "206 whose whole length is the end of the requested part", count: 262_144,
            (206, [range("0-262143/262144"), tag]), "store 0+262144 of 262144"),
        JudgeRow(
            "200 that is as long as the requested part", count: 262_144,
            (200, ["content-length: 262144", tag]), "askWhole"),
        JudgeRow(
            "the same, of a known object", asked: 500, count: 400, known: tagged,
            (200, ["content-length: 400", tag]), "askWhole"),
        JudgeRow(
            "200 that is as long as the requested part and the known object", count: 1000,
            known: tagged, (200, ["content-length: 1000", tag]), "store 0+1000 of 1000"),
    ]
}
