import TakeupTelemetry
import Testing

@testable import TakeupDaemon
@testable import takeup

@Suite("ServiceLife")
struct ServiceLifeTests {
    private static let ready = ServiceLife.Facts(isReady: true, isAlive: true, status: "busy")

    /// All that is said while the seconds pass, with when.
    private func said(
        _ life: inout ServiceLife, _ seconds: ClosedRange<Int>,
        _ facts: (Double) -> ServiceLife.Facts = { _ in ready }
    ) -> [(at: Double, message: ServiceMessage)] {
        seconds.compactMap { second in
            let now = Double(second)
            return life.look(facts(now), now: now).map { (now, $0) }
        }
    }

    @Test("ready is said once, and only when everything is there")
    func ready() {
        var life = ServiceLife(watchdogSeconds: nil, drainSeconds: 60, now: 0)
        let all = said(&life, 0...100) { now in
            .init(isReady: now >= 42, isAlive: true, status: now < 42 ? "starting" : "idle")
        }
        #expect(all.filter { $0.message.phase == .ready }.map(\.at) == [42])
        #expect(all.compactMap(\.message.status) == ["starting", "idle"])
        #expect(
            all.filter { $0.message.extensionSeconds != nil }.map(\.at) == [
                0, 5, 10, 15, 20, 25, 30, 35, 40,
            ])
    }

    @Test("a start that never ends gets no more time after an hour, stuck or not")
    func longStart() {
        var life = ServiceLife(watchdogSeconds: nil, drainSeconds: 60, now: 0)
        let all = said(&life, 0...4000) { _ in .init(status: "starting") }
        let more = all.filter { $0.message.extensionSeconds != nil }
        #expect(more.last?.at == 3595 && more.last?.message.extensionSeconds == 5)
        var stuck = ServiceLife(watchdogSeconds: 10, drainSeconds: 60, now: 0)
        let meanwhile = said(&stuck, 0...4000) { _ in .init(isAlive: false) }
        #expect(meanwhile.count == 720 && !meanwhile.contains { $0.message.isAlive })
        #expect(meanwhile.allSatisfy { $0.message.extensionSeconds != nil })
    }

    @Test("the watchdog is fed at half its interval, and not while anything is stuck")
    func watchdog() {
        var life = ServiceLife(watchdogSeconds: 10, drainSeconds: 60, now: 0)
        #expect(life.aliveSeconds == 5 && life.tickSeconds == 1)
        let all = said(&life, 0...60) { now in
            .init(isReady: true, isAlive: !(21...33).contains(now))
        }
        let pings = all.filter(\.message.isAlive).map(\.at)
        #expect(pings == [0, 5, 10, 15, 20, 34, 39, 44, 49, 54, 59])
    }

    @Test("a status is said when it changes, every two seconds at most")
    func status() {
        var life = ServiceLife(watchdogSeconds: nil, drainSeconds: 60, now: 0)
        let all = said(&life, 0...10) { now in
            .init(isReady: true, isAlive: true, status: "\(Int(min(now, 6)))")
        }
        #expect(all.compactMap(\.message.status) == ["0", "2", "4", "6"])
    }

    @Test("the end gets time as long as jobs may drain, and a little to give them back")
    func stopping() {
        var life = ServiceLife(watchdogSeconds: 10, drainSeconds: 60, now: 0)
        _ = said(&life, 0...9)
        let first = life.stop(now: 10)
        #expect(first?.phase == .stopping && first?.extensionSeconds == 20)
        #expect(life.stop(now: 11) == nil)
        let more = said(&life, 11...200).filter { $0.message.extensionSeconds != nil }
        // Each comes before the one before it has lapsed.
        #expect(more.map(\.at) == Array(stride(from: 15, through: 95, by: 5)))
        for (at, message) in more { #expect(at + (message.extensionSeconds ?? 0) <= 100) }
        #expect(more.last.map { $0.at + ($0.message.extensionSeconds ?? 0) } == 100)
        life.end()
        #expect(said(&life, 201...300).isEmpty)
    }

    @Test("what the manager could not take is said again")
    func lost() throws {
        var life = ServiceLife(watchdogSeconds: 10, drainSeconds: 60, now: 0)
        let said = life.look(Self.ready, now: 1)
        let first = try #require(said)
        life.takeBack(first)
        #expect(life.look(Self.ready, now: 2) == first)
        #expect(life.look(Self.ready, now: 3) == nil)
    }

    @Test("a reload whose beginning was lost is told from its beginning, and an end above all")
    func lostPhases() throws {
        var life = ServiceLife(watchdogSeconds: nil, drainSeconds: 60, now: 0)
        _ = said(&life, 0...1)
        let said = life.reload(monotonicMicroseconds: 7)
        let reloading = try #require(said)
        life.takeBack(reloading)
        #expect(life.endReload() == nil)
        #expect(life.look(Self.ready, now: 2)?.phase == reloading.phase)
        #expect(life.look(Self.ready, now: 3)?.phase == .ready)
        #expect(life.look(Self.ready, now: 4) == nil)
        let again = life.reload(monotonicMicroseconds: 8)
        let ending = life.stop(now: 5)
        let stopping = try #require(ending)
        life.takeBack(stopping)
        // Nobody waits for the end of a reload any more.
        life.takeBack(try #require(again))
        let last = life.look(Self.ready, now: 6)
        #expect(last?.phase == .stopping && last?.extensionSeconds == 20)
        #expect(life.look(Self.ready, now: 7)?.phase == nil)
    }

    @Test("a reload is between its two messages, and only of what is ready")
    func reload() {
        var life = ServiceLife(watchdogSeconds: nil, drainSeconds: 60, now: 0)
        #expect(life.reload(monotonicMicroseconds: 1) == nil && life.endReload() == nil)
        _ = said(&life, 0...1)
        #expect(life.reload(monotonicMicroseconds: 7)?.text == "RELOADING=1\nMONOTONIC_USEC=7")
        #expect(life.endReload()?.text == "READY=1" && life.endReload() == nil)
        _ = life.stop(now: 3)
        #expect(life.reload(monotonicMicroseconds: 8) == nil)
    }
}
