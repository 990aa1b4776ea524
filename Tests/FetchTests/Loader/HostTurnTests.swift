import TakeupCurl
import TakeupFields
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Turns of a host")
struct HostTurnTests {
    private let address: WebAddress

    init() throws {
        address = try WebAddress("http://127.0.0.1:9/a.mp4")
    }

    @Test("so many go on at once, the next when one goes, in the order in which they came")
    func order() {
        var line = HostLine()
        for number in 1...5 { line.join(.init(number: number, most: 2)) }
        #expect(line.admit() == [1, 2])
        #expect(line.admit() == [])
        line.leave(2)
        line.leave(3)
        #expect(line.admit() == [4])
        #expect(line.active == [1, 4] && line.waiting.map(\.number) == [5])
        for number in [1, 4] { line.leave(number) }
        #expect(line.admit() == [5])
        line.leave(5)
        #expect(line.isEmpty)
    }

    @Test("nobody overtakes who asks for fewer beside it")
    func fewer() {
        var line = HostLine()
        for (number, most) in [(1, 3), (2, 1), (3, 3)] {
            line.join(.init(number: number, most: most))
        }
        #expect(line.admit() == [1])
        line.leave(1)
        #expect(line.admit() == [2, 3])
    }

    @Test("a turn that goes, had or not, lets the others on")
    func goes() {
        let turns = HostConnectionLimiter()
        var first: HostTurn? = turns.turn(at: address, most: 1)
        var second: HostTurn? = turns.turn(at: address, most: 1)
        let third = turns.turn(at: address, most: 1)
        #expect(first?.wait(seconds: 0) == true && first?.isWanted == true)
        #expect(second?.wait(seconds: 0) == false && !third.wait(seconds: 0))
        second = nil
        #expect(!third.wait(seconds: 0))
        first = nil
        #expect(third.wait(seconds: 10) && !third.isWanted)
        #expect(second == nil && first == nil)
    }

    @Test("another port, and another host, have lines of their own")
    func others() throws {
        let turns = HostConnectionLimiter()
        let held = ["http://127.0.0.1:9/b", "http://127.0.0.1:8/a", "http://localhost:9/"]
        let first = turns.turn(at: address, most: 1)
        let rest = try held.map { turns.turn(at: try WebAddress($0), most: 1) }
        #expect(first.wait(seconds: 0))
        #expect(rest.map { $0.wait(seconds: 0) } == [false, true, true])
        withExtendedLifetime(first) {}
    }

    /// Takes nothing.
    private final class Nobody: OriginReceiver {
        let wantsBody = false
        let failure: FetchError? = nil
        let hasMore = false
        func begin(_ verdict: OriginVerdict, _ head: ResponseHead) -> Bool { false }
        func take(_ bytes: UnsafeRawBufferPointer) -> Bool { false }
        func finish(endedWell: Bool) throws(FetchError) -> OriginOutcome { .stopped }
    }

    @Test(
        "a question that is cancelled in line keeps its place for the next one, and spends no time")
    func keepsPlace() throws {
        var settings = LoaderTrial.settings()
        settings.connectionsPerHost = 1
        let host = HostConnectionLimiter.host(address)
        var held: HostTurn? = settings.hostTurns.turn(at: address, most: 1)
        #expect(held?.wait(seconds: 0) == true)
        let origin = HTTPOrigin(settings)
        let ask = OriginRequest(address: address, offset: 0)
        func stops(_ ask: OriginRequest) throws -> Bool {
            let cancellation = TransferCancellation()
            cancellation.cancel()
            let outcome = try origin.perform(
                ask, now: HTTPDate(secondsSince1970: 0), cancellation: cancellation, Nobody())
            guard case .stopped = outcome else { return false }
            return !origin.hasAsked && origin.budget.spentSeconds == 0
        }
        #expect(try stops(ask))
        let behind = settings.hostTurns.turn(at: address, most: 1)
        let line = settings.hostTurns.line(at: host)
        #expect(line.waiting.count == 2)
        #expect(try stops(OriginRequest(address: address, offset: 1000)))
        #expect(settings.hostTurns.line(at: host) == line)
        origin.leaveTurn()
        #expect(settings.hostTurns.line(at: host).waiting == Array(line.waiting.dropFirst()))
        #expect(!behind.wait(seconds: 0) && held != nil)
        held = nil
        #expect(behind.wait(seconds: 10))
    }
}
