import Foundation
import TakeupFields
import Testing

@Suite("Dates of HTTP as text")
struct HTTPDateTextTests {
    @Test(
        "are written as RFC 9110 has them",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        ] as [(Int64, String)])
    func written(seconds: Int64, text: String) {
        #expect("\(HTTPDate(secondsSince1970: seconds))" == text)
    }

    @Test("are read as they were written")
    func readBack() {
        let now = HTTPDate(secondsSince1970: 0)
        for day in stride(from: Int64(-100_000), through: 200_000, by: 97) {
            let date = HTTPDate(secondsSince1970: day * 86_400 + day % 86_400)
            #expect(HTTPDate("\(date)", now: now) == date)
        }
    }
}
