extension JudgeRow {
    private static func unsatisfied(_ length: Int64) -> String {
        "content-range: bytes */\(length)"
    }

    /// Answers without any of the object.
    static let status: [JudgeRow] = [
        JudgeRow(
            "416 behind the end", asked: 1000, known: tagged, (416, [unsatisfied(1000)]),
            "atEnd 1000"),
        JudgeRow(
            "416 that tells the length for the first time", asked: 1000, known: nothing,
            (416, [unsatisfied(1000)]), "atEnd 1000"),
        JudgeRow(
            "416 with another length", asked: 800, known: tagged, (416, [unsatisfied(700)]),
            "changed"),
        JudgeRow(
            "416 with another tag", asked: 1000, known: tagged,
            (416, [unsatisfied(1000), #"etag: "b""#]), "changed"),
        JudgeRow(
            "416 for a range within the object", asked: 500, known: tagged,
            (416, [unsatisfied(1000)]), "refuse invalidResponse"),
        JudgeRow(
            "416 without a length, behind the end", asked: 1000, known: tagged, (416, []),
            "atEnd 1000"),
        JudgeRow(
            "416 without a length, within the object", asked: 500, known: tagged, (416, []),
            "changed"),
        JudgeRow(
            "416 without a length, nothing known", asked: 500, (416, []), "askWhole"),
        JudgeRow("416 for an empty object", (416, [unsatisfied(0)]), "refuse notMedia"),
        JudgeRow("301", (301, ["location: /b.mp4"]), "redirect /b.mp4"),
        JudgeRow("302 to another node", (302, ["location: //n2/b"]), "redirect //n2/b"),
        JudgeRow("303", (303, ["location: b"]), "redirect b"),
        JudgeRow("307", (307, ["location: b"]), "redirect b"),
        JudgeRow("308", (308, ["location: b"]), "redirect b"),
        JudgeRow("a redirect without Location", (302, []), "refuse invalidResponse"),
        JudgeRow(
            "a redirect with two Locations", (302, ["location: a", "location: b"]),
            "refuse invalidResponse"),
        JudgeRow("300, 305 or 306", (300, ["location: b"]), "refuse status 300"),
        JudgeRow("304 to a plain request", known: tagged, (304, []), "refuse invalidResponse"),
        JudgeRow("304 to a question about the known tag", known: tagged, (304, []), "unchanged")
            .conditional,
        JudgeRow("304 to a question about the known date", known: dated, (304, []), "unchanged")
            .conditional,
        JudgeRow(
            "304 to a question about a date that is not strong",
            known: version([modified], length: nil), (304, [modified]), "unchanged"
        )
        .conditional,
        JudgeRow(
            "304 with another date than the question's", known: version([modified], length: nil),
            (304, ["last-modified: Sat, 21 Nov 2026 09:00:00 GMT"]), "changed"
        )
        .conditional,
        JudgeRow(
            "304 to a question that could name no version", known: bare, (304, []),
            "refuse invalidResponse"
        ).conditional,
        JudgeRow("400 or 501 to a range", (400, []), "askWhole"),
        JudgeRow("400 or 501 to a range, once it had worked", known: tagged, (501, []), "askWhole"),
        JudgeRow("400 or 501 without a range", (400, []), "refuse status 400").whole,
        JudgeRow("401 or 403 at first", (403, []), "refuse status 403"),
        JudgeRow("401 once it had worked", known: tagged, (401, []), "refuse expired"),
        JudgeRow("403 once it had worked", known: tagged, (403, []), "refuse expired"),
        JudgeRow("410 once it had worked", known: tagged, (410, []), "refuse expired"),
        JudgeRow("404, also once it had worked", known: tagged, (404, []), "refuse status 404"),
        JudgeRow("404 with a page", (404, ["content-length: 9"]), "refuse status 404"),
        JudgeRow("412", known: tagged, (412, []), "refuse status 412"),
        JudgeRow("408", (408, []), "retry soon"),
        JudgeRow("429 with Retry-After", (429, ["retry-after: 30"]), "retry 30"),
        JudgeRow(
            "503 with a date in Retry-After",
            (503, [date, "retry-after: Sat, 21 Nov 2026 12:00:20 GMT"]), "retry 20"),
        JudgeRow("503 with an hour in Retry-After", (503, ["retry-after: 3600"]), "retry 60"),
        JudgeRow("503 with nonsense in Retry-After", (503, ["retry-after: -1"]), "retry soon"),
        JudgeRow("500, 502 or 504", (502, []), "retry soon"),
        JudgeRow("another 5xx, such as 522", (522, []), "retry soon"),
        JudgeRow("505, 506, 510 or 511", (511, []), "refuse status 511"),
    ]
}
