extension JudgeRow {
    private static let html = "content-type: text/html"

    /// Answers with the whole object.
    static let whole: [JudgeRow] = [
        JudgeRow(
            "200 to the first request", (200, ["Content-Length: 1000", #"ETag: "a""#]),
            "store 0+1000 of 1000"),
        JudgeRow("200 without a length, or chunked", (200, []), "store 0+? of ?"),
        JudgeRow(
            "200 with both chunks and a length",
            (200, ["transfer-encoding: chunked", "content-length: 7"]), "store 0+? of ?"),
        JudgeRow("203 from a proxy", (203, ["content-length: 9"]), "store 0+9 of 9"),
        JudgeRow(
            "200 although a range was asked for, same strong tag", asked: 500, known: tagged,
            (200, ["content-length: 1000", #"etag: "a""#]), "store 0+1000 of 1000"),
        JudgeRow(
            "the same without a length", asked: 500, known: tagged, (200, [#"etag: "a""#]),
            "store 0+1000 of 1000"),
        JudgeRow(
            "the same with Accept-Ranges: none", asked: 500, known: bare,
            (200, ["accept-ranges: none", "content-length: 1000"]), "store 0+1000 of 1000"),
        JudgeRow(
            "200 with another strong tag", asked: 500, known: tagged,
            (200, ["content-length: 1000", #"etag: "b""#]), "startOver 0+1000 of 1000"),
        JudgeRow(
            "200 with another weak tag", asked: 500, known: weak,
            (200, ["content-length: 1000", #"etag: W/"b""#]), "startOver 0+1000 of 1000"),
        JudgeRow(
            "200 with another date", asked: 500, known: dated,
            (200, ["content-length: 1000", "last-modified: Sat, 21 Nov 2026 09:00:00 GMT"]),
            "startOver 0+1000 of 1000"),
        JudgeRow(
            "200 with another length", asked: 500, known: bare, (200, ["content-length: 1200"]),
            "startOver 0+1200 of 1200"),
        JudgeRow(
            "200 that tells nothing in common", asked: 500, known: tagged, (200, []),
            "startOver 0+? of ?"),
        JudgeRow(
            "200 with the same date, but neither strong nor with a length", asked: 500,
            known: version([modified], length: nil), (200, [modified]), "startOver 0+? of ?"),
        JudgeRow(
            "200 with the same strong date and no length", asked: 500,
            known: version([date, modified], length: nil), (200, [date, modified]),
            "store 0+? of ?"),
        JudgeRow(
            "200 from another node: other tag, same date and length", asked: 500, known: full,
            (200, ["content-length: 1000", #"etag: "node2""#, date, modified]),
            "store 0+1000 of 1000"),
        JudgeRow(
            "the same with a date that is not strong", asked: 500,
            known: version([modified, #"etag: "a""#]),
            (200, ["content-length: 1000", #"etag: "node2""#, date, modified]),
            "startOver 0+1000 of 1000"),
        JudgeRow(
            "a login page in place of the object, midway", asked: 500, known: tagged,
            (200, [html, "content-length: 300"]), "startOver 0+300 of 300"),
        JudgeRow(
            "media under text/html", (200, [html, "content-length: 5"]), "store 0+5 of 5"),
        JudgeRow(
            "media under multipart/form-data",
            (200, ["content-type: multipart/form-data; boundary=x", "content-length: 5"]),
            "store 0+5 of 5"),
        JudgeRow(
            "media under application/octet-stream, or no type",
            (200, ["content-type: application/octet-stream", "content-length: 5"]),
            "store 0+5 of 5"),
        JudgeRow(
            "an empty content type", (200, ["content-type: ", "content-length: 5"]),
            "store 0+5 of 5"),
        JudgeRow(
            "gzip although identity was asked for",
            (200, ["content-encoding: gzip", "content-length: 5"]), "refuse notMedia"),
        JudgeRow(
            "two content codings", (200, ["content-encoding: identity, br"]), "refuse notMedia"),
        JudgeRow(
            "Content-Encoding: identity",
            (200, ["content-encoding: Identity", "content-length: 5"]), "store 0+5 of 5"),
        JudgeRow("an empty object", (200, ["content-length: 0"]), "refuse notMedia"),
        JudgeRow(
            "an object larger than the limit", (200, ["content-length: 1000001"]),
            "refuse tooLarge"),
        JudgeRow(
            "two different lengths", (200, ["content-length: 5", "content-length: 6"]),
            "refuse invalidResponse"),
        JudgeRow(
            "the same length twice", (200, ["content-length: 5", "content-length: 5"]),
            "store 0+5 of 5"),
        JudgeRow(
            "the same length twice in one field", (200, ["content-length: 5, 5"]), "store 0+5 of 5"),
        JudgeRow("a negative length", (200, ["content-length: -5"]), "refuse invalidResponse"),
        JudgeRow(
            "a length beyond 63 bits", (200, ["content-length: 9223372036854775808"]),
            "refuse invalidResponse"),
        JudgeRow("202 or 204: no object", (204, []), "refuse invalidResponse"),
        JudgeRow("101 or another interim answer", (101, []), "refuse invalidResponse"),
        JudgeRow("no status of HTTP", (999, []), "refuse invalidResponse"),
    ]
}
