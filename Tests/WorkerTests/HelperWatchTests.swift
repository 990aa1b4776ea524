import TakeupLanes
import Testing

@testable import TakeupExport
@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

@Suite("Helper watch")
struct HelperWatchTests {
    private let time = Locked(ContinuousClock.now)

    private func watch(residentBytes: Int64 = 0) -> HelperWatch {
        HelperWatch(
            HelperConfiguration(), residentBytes: { residentBytes },
            now: { [time] in time.withLock { $0 } })
    }

    private func wait(_ seconds: Double) { time.withLock { $0 += .seconds(seconds) } }

    private func progress(_ fraction: Double) -> HelperEvent {
        .progress(
            ExportProgress(phase: .encode, fraction: fraction, speed: nil, etaSeconds: nil))
    }

    private static func isHung(_ verdict: HelperOutcome?) -> Bool {
        if case .hung = verdict { return true }
        return false
    }

    @Test("ends what says nothing, and what tells the same progress again")
    func silent() {
        var watch = watch()
        watch.see(progress(0.5))
        wait(119)
        #expect(watch.verdict() == nil)
        watch.see(progress(0.5))
        wait(2)
        #expect(Self.isHung(watch.verdict()))
    }

    @Test("beats keep it alive for hours, and no longer")
    func beats() {
        var watch = watch()
        var heard = 0.0
        while watch.verdict() == nil, heard < 10 * HelperWatch.talkSeconds {
            wait(100)
            heard += 100
            watch.hear()
        }
        #expect((HelperWatch.talkSeconds...HelperWatch.talkSeconds + 300).contains(heard))
    }

    @Test("progress goes on for as long as it rises")
    func rising() {
        var watch = watch()
        for step in 1...1000 {
            wait(100)
            watch.see(progress(Double(step) / 1000))
            #expect(watch.verdict() == nil)
        }
    }

    @Test("ends what holds too much memory")
    func memory() {
        var watch = watch(residentBytes: HelperConfiguration().memoryBytes + 1)
        wait(1)
        guard case .memoryExceeded = watch.verdict() else {
            Issue.record("it goes on")
            return
        }
    }
}
