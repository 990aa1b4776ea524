import TakeupFiles
import TakeupWatch
import Testing

@Suite("Watch mode")
struct WatchModeTests {
    @Test("events where all changes give some")
    func automatic() {
        #expect(WatchMode.chosen(.automatic, network: nil, silent: nil) == .events)
        #expect(
            WatchMode.chosen(.automatic, network: "NFS", silent: nil) == .polling(.network("NFS")))
        #expect(
            WatchMode.chosen(.automatic, network: nil, silent: "FUSE") == .polling(.silent("FUSE")))
    }

    @Test("what is asked for is done on every file system")
    func asked() {
        #expect(WatchMode.chosen(.polling, network: nil, silent: nil) == .polling(.setting))
        #expect(WatchMode.chosen(.events, network: "NFS", silent: nil) == .events)
    }

    @Test("says why it polls")
    func words() {
        #expect(WatchMode.events.words == "events")
        #expect(WatchMode.polling(.network("NFS")).words.hasPrefix("polling: NFS "))
    }

    @Test("the process's own file system is none that changes from elsewhere")
    func kinds() {
        #expect(FileSystemKind.network("/proc") == nil)
        #expect(FileSystemKind.withoutEvents("/proc") == nil)
    }

    @Test("pauses as the mode needs, longer after long scans, but not without end")
    func pauses() {
        let intervals = ScanIntervals()
        #expect(intervals.pause(.events, lastScanSeconds: 0) == 60)
        #expect(intervals.pause(.events, lastScanSeconds: 1) == 199)
        #expect(intervals.pause(.events, lastScanSeconds: 2) == 300)
        #expect(intervals.pause(.polling(.setting), lastScanSeconds: 0.05) == 10)
        #expect(intervals.pause(.polling(.network("NFS")), lastScanSeconds: 0) == 30)
        #expect(intervals.pause(.polling(.watchLimit), lastScanSeconds: 1) == 99)
        #expect(intervals.pause(.polling(.silent("FUSE")), lastScanSeconds: 60) == 300)
        var own = intervals
        (own.polling, own.isFixed) = (20, true)
        #expect(own.pause(.polling(.setting), lastScanSeconds: 5) == 20)
        #expect(own.pause(.polling(.setting), lastScanSeconds: 60) == 60)
    }
}
