import TakeupCurl
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Time of a source")
struct TimeBudgetTests {
    private let content = LoaderTrial.content(3_000_000)

    @Test("is spent down to nothing, or never ends")
    func value() {
        var budget = TimeBudget(seconds: 10)
        budget.spend(4)
        budget.spend(-1)
        #expect(budget.leftSeconds == 6 && !budget.isSpent)
        budget.spend(7)
        #expect(budget.leftSeconds == 0 && budget.isSpent)
        var endless = TimeBudget(seconds: nil)
        endless.spend(1e9)
        #expect(endless.leftSeconds == nil && !endless.isSpent)
    }

    @Test("the standard limits connect, head and stalls, and not the whole")
    func standard() {
        let settings = FetchSettings()
        #expect(settings.limits.connectSeconds == 10 && settings.limits.headSeconds == 30)
        #expect(settings.limits.lowSpeedBytesPerSecond == 1024)
        #expect(settings.limits.lowSpeedSeconds == 30 && settings.totalSeconds == nil)
    }

    @Test("a body that is fast enough and takes too long ends; who comes later goes on from there")
    func body() throws {
        let trial = try LoaderTrial { $0.totalSeconds = 1 }
        var object = OriginObject(content)
        object.faults.bytesPerSecond = 400_000
        trial.origin.serve("/a.mp4", object)
        let loader = try trial.loader()
        let error = #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
        #expect(
            error
                == .unreachable(
                    "not all here after 1.0 seconds", address: trial.origin.url("/a.mp4"))
        )
        let present = loader.status.presentBytes
        #expect(present > 0 && present < 3_000_000)
        trial.origin.change("/a.mp4") { $0.faults.bytesPerSecond = nil }
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
    }

    @Test("tries cost time too")
    func tries() throws {
        let trial = try LoaderTrial {
            $0.totalSeconds = 0.5
            $0.retry = OriginRetryPolicy(firstSeconds: 0.01, maximumTries: 1_000_000)
        }
        var object = OriginObject(content)
        object.faults.answers = [.status(503)]
        trial.origin.serve("/a.mp4", object)
        let error = #expect(throws: FetchError.self) { try trial.loader().information() }
        #expect(error?.name == "unreachable")
        #expect(trial.origin.requestCount("/a.mp4") > 1)
    }
}
