import Testing

@testable import TakeupHTTP

@Suite("Deadlines of a connection")
struct ConnectionDeadlineTests {
    private var limits: HTTPServer.Limits {
        var limits = HTTPServer.Limits()
        (limits.headSeconds, limits.idleSeconds) = (10, 60)
        return limits
    }

    private func expect(
        _ isCut: Bool, _ deadline: inout ConnectionDeadline, _ now: Double, _ progress: Int64,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isOver = deadline.isOver(now: now, progress: progress, limits: limits)
        #expect(isOver == isCut, sourceLocation: sourceLocation)
    }

    @Test("cut a first head after ten seconds, a later one after sixty, whatever trickles in")
    func heads() {
        var deadline = ConnectionDeadline(now: 100)
        expect(false, &deadline, 109.9, 5)
        expect(true, &deadline, 110, 9)
        deadline.begin(.waiting(isFirst: false), now: 200)
        expect(false, &deadline, 259.9, 0)
        expect(true, &deadline, 260, 0)
    }

    @Test("cut a body that brings fewer than a hundred bytes a second")
    func bodies() {
        var deadline = ConnectionDeadline(now: 0)
        deadline.begin(.receiving, now: 0)
        expect(false, &deadline, 59, 1)
        expect(false, &deadline, 60, 6000)
        expect(false, &deadline, 119, 6000)
        expect(true, &deadline, 120, 11_999)
    }

    @Test("cut a reader that takes nothing for sixty seconds, and none that takes a byte")
    func readers() {
        var deadline = ConnectionDeadline(now: 0)
        deadline.begin(.sending, now: 0, progress: 1000)
        expect(false, &deadline, 59, 1001)
        expect(false, &deadline, 118, 1001)
        expect(true, &deadline, 119, 1001)
    }

    @Test("leave the server its own time")
    func work() {
        var deadline = ConnectionDeadline(now: 0)
        deadline.begin(.working, now: 0)
        expect(false, &deadline, 1e6, 0)
    }
}
