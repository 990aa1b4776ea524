import TakeupFetch
import TakeupFields
import Testing

@Suite("HTTP date")
struct HTTPDateTests {
    static let now = JudgeRow.now

    @Test(
        "reads all three forms",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994", "  Sun, 06 Nov 1994 08:49:37 GMT ",
        ])
    func forms(text: String) {
        #expect(HTTPDate(text, now: Self.now)?.secondsSince1970 == 784_111_777)
    }

    @Test(
        "counts leap days and years",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", Int64(0)),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
            ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
            ("Sat, 21 Nov 2026 12:00:00 GMT", 1_795_262_400),
            ("Thu, 31 Dec 2026 23:59:60 GMT", 1_798_761_600),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ])
    func values(text: String, seconds: Int64) {
        #expect(HTTPDate(text, now: Self.now)?.secondsSince1970 == seconds)
    }

    @Test(
        "puts a short year at most 50 years ahead",
        arguments: [
            ("Monday, 01-Jan-26 00:00:00 GMT", "Thu, 01 Jan 2026 00:00:00 GMT"),
            ("Monday, 01-Jan-76 00:00:00 GMT", "Wed, 01 Jan 2076 00:00:00 GMT"),
            ("Monday, 01-Jan-77 00:00:00 GMT", "Sat, 01 Jan 1977 00:00:00 GMT"),
            ("Monday, 29-Feb-00 00:00:00 GMT", "Tue, 29 Feb 2000 00:00:00 GMT"),
        ])
    func shortYears(short: String, long: String) {
        let date = HTTPDate(short, now: Self.now)
        #expect(date != nil)
        #expect(date == HTTPDate(long, now: Self.now))
    }

    @Test(
        "refuses anything else",
        arguments: [
            "", "0", "-1", "Sun", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 30 Feb 1994 08:49:37 GMT",
            "Sun, 29 Feb 2023 00:00:00 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT",
            "1994-11-06T08:49:37Z", "Sun, 06 Nov -994 08:49:37 GMT",
            "Sunday, 6-Nov-94 08:49:37 GMT",
        ])
    func refuses(text: String) {
        #expect(HTTPDate(text, now: Self.now) == nil)
    }
}
