import Foundation
import Testing

@testable import TakeupDaemon
@testable import takeup

@Suite("WorkSchedule")
struct WorkScheduleTests {
    private func schedule(_ text: String) throws -> WorkSchedule {
        WorkSchedule(try #require(WorkHours(parsing: [text])), closing: .drain)
    }

    @Test("closes and opens once each, and says until when")
    func turns() throws {
        var schedule = try schedule("22:00-06:00")
        let noon = try Date("2026-11-02T12:00:00Z", strategy: .iso8601)
        #expect(schedule.look(at: noon, in: .gmt) == .close(reason: "closed until 22:00"))
        #expect(schedule.look(at: noon + 1, in: .gmt) == nil)
        #expect(schedule.isOpen == false && schedule.reason == "closed until 22:00")
        #expect(schedule.secondsToChange(from: noon, in: .gmt) == 36_000)
        #expect(schedule.look(at: noon + 36_000, in: .gmt) == .open)
        #expect(schedule.reason == nil && schedule.look(at: noon + 36_001, in: .gmt) == nil)
        // Put back by hand.
        #expect(schedule.look(at: noon, in: .gmt) == .close(reason: "closed until 22:00"))
    }

    @Test("what is open from the beginning needs no opening, and a day ahead has its name")
    func edges() throws {
        let noon = try Date("2026-11-02T12:00:00Z", strategy: .iso8601)
        var open = try schedule("08:00-20:00")
        #expect(open.look(at: noon, in: .gmt) == nil && open.isOpen == true)
        var closed = try schedule("sat 10:00-11:00")
        #expect(closed.look(at: noon, in: .gmt) == .close(reason: "closed until Sat 10:00"))
    }
}
