@testable import TakeupIngest
import TakeupJobs
import Testing

@testable import TakeupDaemon
@testable import takeup

@Suite("ServiceStatus")
struct ServiceStatusTests {
    @Test("one line says what runs, what waits, and what is in the way")
    func text() {
        var status = ServiceStatus()
        #expect(status.text == "starting")
        status.folders = [nil, WatchFigures(), WatchFigures(isAvailable: true)]
        #expect(status.text == "starting, 1 of 3 folders looked through")
        status.isReady = true
        status.running = 3
        status.depth = QueueDepth()
        status.depth?.queued = 41
        status.folders = [WatchFigures(isAvailable: true, hasScanned: true, waiting: 5)]
        #expect(status.text == "3 running, 41 queued, 1 folder, 5 files settling")
        status.closed = "closed until 22:00"
        status.depth?.scheduled = 2
        status.folders.append(WatchFigures(stuck: 1))
        #expect(
            status.text
                == "3 running, 41 queued, 2 for later, closed until 22:00, 2 folders, 1 not there, 5 files settling, 1 file stuck"
        )
        (status.depth, status.hasQueueFailed, status.folders, status.closed) = (nil, true, [], nil)
        #expect(status.text == "3 running, the queue cannot be asked")
        status.isStopping = true
        #expect(status.text == "stopping, 3 running")
    }
}
