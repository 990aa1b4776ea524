import Foundation
import Testing

@testable import TakeupDaemon
@testable import takeup

@Suite("WorkHours")
struct WorkHoursTests {
    private func zone(_ name: String) throws -> TimeZone {
        try #require(TimeZone(identifier: name))
    }

    private func time(_ text: String) throws -> Date {
        try #require(try? Date(text, strategy: .iso8601))
    }

    @Test(
        "a window is open from its first minute to before its last",
        arguments: [
            // 2026-11-02 is a Monday.
            ("09:00-17:00", "2026-11-02T09:00:00Z", true),
            ("09:00-17:00", "2026-11-02T16:59:59Z", true),
            ("09:00-17:00", "2026-11-02T17:00:00Z", false),
            ("9:00-17:00", "2026-11-02T08:59:59Z", false),
            ("22:00-06:00", "2026-11-02T23:00:00Z", true),
            ("22:00-06:00", "2026-11-02T05:59:59Z", true),
            ("22:00-06:00", "2026-11-02T06:00:00Z", false),
            ("fri 22:00-06:00", "2026-11-07T03:00:00Z", true),
            ("fri 22:00-06:00", "2026-11-06T03:00:00Z", false),
            ("sun 22:00-06:00", "2026-11-02T03:00:00Z", true),
            ("mon-fri 22:00-06:00", "2026-11-08T23:00:00Z", false),
            ("Sat,Sun 00:00-24:00", "2026-11-08T23:59:59Z", true),
            ("sat,sun 00:00-24:00", "2026-11-09T00:00:00Z", false),
            ("fri-mon 12:00-13:00", "2026-11-02T12:30:00Z", true),
            ("fri-mon 12:00-13:00", "2026-11-03T12:30:00Z", false),
            ("00:00-24:00", "2026-11-03T12:30:00Z", true),
            ("22:00-24:00", "2026-11-02T23:59:59Z", true),
            ("22:00-00:00", "2026-11-02T23:59:59Z", true),
            ("22:00-00:00", "2026-11-03T00:00:00Z", false),
            ("08:00-10:00; 12:00-14:00", "2026-11-02T13:00:00Z", true),
            ("08:00-10:00;12:00-14:00", "2026-11-02T11:00:00Z", false),
            ("12:00-11:00", "1969-12-31T11:30:00Z", false),
            ("wed 12:00-11:00", "1969-12-31T12:00:00Z", true),
        ])
    func isOpen(text: String, at: String, expected: Bool) throws {
        let hours = try #require(WorkHours(parsing: [text]))
        #expect(hours.isOpen(at: try time(at), in: .gmt) == expected)
    }

    @Test(
        "the next change is when it opens or closes, not where windows meet",
        arguments: [
            (["22:00-06:00"], "2026-11-02T12:00:00Z", "2026-11-02T22:00:00Z"),
            (["22:00-06:00"], "2026-11-02T22:00:00Z", "2026-11-03T06:00:00Z"),
            (["22:00-02:00", "01:00-06:00"], "2026-11-02T23:00:00Z", "2026-11-03T06:00:00Z"),
            (["22:00-24:00", "00:00-06:00"], "2026-11-02T23:00:00Z", "2026-11-03T06:00:00Z"),
            (["sat 10:00-11:00"], "2026-11-07T11:00:00Z", "2026-11-14T10:00:00Z"),
            (["sat,sun 00:00-24:00"], "2026-11-07T11:00:00Z", "2026-11-09T00:00:00Z"),
            (["00:00-24:00"], "2026-11-07T11:00:00Z", nil),
            (["12:00-24:00", "00:00-12:00"], "2026-11-07T11:00:00Z", nil),
        ] as [([String], String, String?)])
    func nextChange(texts: [String], after: String, expected: String?) throws {
        let hours = try #require(WorkHours(parsing: texts))
        let next = hours.nextChange(after: try time(after), in: .gmt)
        #expect(next == (try expected.map(time)))
    }

    @Test(
        "the clock on the wall decides when it is put forward and back",
        arguments: [
            // Forward on 2026-03-29 at 02:00, which is 01:00 GMT; back on 2026-10-25 at 03:00, again 01:00 GMT.
            (
                "01:00-04:00", "2026-03-28T23:00:00Z",
                ["2026-03-29T00:00:00Z", "2026-03-29T02:00:00Z"]
            ),
            (
                "02:30-04:00", "2026-03-28T23:00:00Z",
                ["2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"]
            ),
            (
                "02:00-03:00", "2026-03-28T23:00:00Z",
                ["2026-03-30T00:00:00Z", "2026-03-30T01:00:00Z"]
            ),
            (
                "22:00-06:00", "2026-03-28T20:00:00Z",
                ["2026-03-28T21:00:00Z", "2026-03-29T04:00:00Z"]
            ),
            (
                "22:00-06:00", "2026-10-24T19:00:00Z",
                ["2026-10-24T20:00:00Z", "2026-10-25T05:00:00Z"]
            ),
            (
                "02:15-02:45", "2026-10-24T22:00:00Z",
                [
                    "2026-10-25T00:15:00Z", "2026-10-25T00:45:00Z", "2026-10-25T01:15:00Z",
                    "2026-10-25T01:45:00Z",
                ]
            ),
            (
                "02:30-03:30", "2026-10-24T22:00:00Z",
                [
                    "2026-10-25T00:30:00Z", "2026-10-25T01:00:00Z", "2026-10-25T01:30:00Z",
                    "2026-10-25T02:30:00Z",
                ]
            ),
        ])
    func daylight(text: String, after: String, expected: [String]) throws {
        let hours = try #require(WorkHours(parsing: [text]))
        let zone = try zone("Europe/Berlin")
        var now = try time(after)
        for moment in expected {
            now = try #require(hours.nextChange(after: now, in: zone))
            #expect(now == (try time(moment)))
        }
    }

    @Test(
        "every change is where a walk by the second finds it",
        arguments: ["Europe/Berlin", "Australia/Lord_Howe"])
    func walk(name: String) throws {
        let zone = try zone(name)
        let hours = try #require(WorkHours(parsing: ["sat 23:10-02:20", "sun 01:40-02:50"]))
        for start in [
            "2026-03-28T00:00:00Z", "2026-04-04T00:00:00Z", "2026-10-03T00:00:00Z",
            "2026-10-24T00:00:00Z",
        ] {
            let from = try time(start)
            var walked: [Date] = []
            for second in stride(from: 0.0, to: 3 * 86_400, by: 60) {
                let (now, before) = (from + second, from + second - 60)
                if hours.isOpen(at: now, in: zone) != hours.isOpen(at: before, in: zone) {
                    walked.append(now)
                }
            }
            var (found, now): ([Date], Date) = ([], from)
            while let next = hours.nextChange(after: now, in: zone), next < from + 3 * 86_400 {
                found.append(next)
                now = next
            }
            #expect(found == walked && !walked.isEmpty)
        }
    }

    @Test(
        "what is no window is none",
        arguments: [
            "", " ", ";", "22:00", "22:00-", "-06:00", "22-06", "24:00-06:00", "22:00-24:01",
            "22:60-23:00", "22:0-23:00", "10:00-10:00", "00:00-00:00", "day 10:00-11:00",
            "mon- 10:00-11:00", "mon, 10:00-11:00", "mon-tue-wed 10:00-11:00", "mon 10:00 - 11:00",
            "10:00-11:00;", "+1:00-02:00", "mon 10:00-11:00 x", "١٠:٠٠-11:00",
        ])
    func refused(text: String) {
        #expect(WorkHours(parsing: [text]) == nil)
    }
}
