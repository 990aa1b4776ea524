import Foundation
import TakeupCache
import TakeupJobs
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch
@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

@Suite("Jobs with addresses on a full disk")
struct RemoteDiskTests {
    private static let plenty = Int64.max / 2

    /// A disk that is full when it is told to be, below the sources' store alone.
    private final class Disk: Sendable {
        private let state = Locked((free: RemoteDiskTests.plenty, looks: 0))
        /// How often somebody has asked for its free space.
        var looks: Int { state.withLock { $0.looks } }

        func fill() { state.withLock { $0.free = 0 } }
        func empty() { state.withLock { $0.free = RemoteDiskTests.plenty } }

        func look() -> Int64 {
            state.withLock { state in
                state.looks += 1
                return state.free
            }
        }
    }

    private func trial(_ disk: Disk) throws -> RemoteTrial {
        var settings: FetchSettings?
        let trial = try RemoteTrial { change in
            change.storeLimits = SourceLimits(minFreeBytes: 1)
            settings = change
        }
        let store = try SourceStore(
            path: "\(trial.trial.cache.objects.path)/\(SourceStore.folderName)",
            clock: WallClock.now, space: { disk.look() })
        trial.trial.configuration.sources = SourceLibrary(
            store: store, settings: try #require(settings))
        trial.trial.configuration.lanes = 1
        return trial
    }

    /// Whether a worker stops for want of room before anything else ends.
    private func pauses(_ worker: Worker, _ events: AsyncStream<WorkerEvent>) async -> Bool {
        for await event in events {
            if case .paused = event { return true }
            if case .ended(let record) = event, record.state.isTerminal { return false }
        }
        return false
    }

    private func end(
        of id: String, _ trial: WorkerTrial, _ worker: Worker
    ) async throws -> JobRecord {
        let began = ContinuousClock.now
        while true {
            let job = try #require(try trial.store.job(JobID(rawValue: id)))
            if job.state.isTerminal {
                worker.drain()
                await worker.finished()
                return job
            }
            try #require(ContinuousClock.now - began < .seconds(900), "the job did not end")
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test(
        "a source that has no room pauses the queue, uses no attempt, and goes on once there is (F3)"
    )
    func known() async throws {
        let disk = Disk()
        let remote = try trial(disk)
        let address = remote.serve("/a.mp4", try Clip.base(seconds: 1).padded(by: 3_000_000))
        disk.fill()
        let worker = try remote.trial.worker()
        let events = worker.events()
        _ = try remote.trial.store.submit([try remote.trial.spec("a", [address])])
        worker.start()
        #expect(await pauses(worker, events))
        #expect(remote.origin.bytesServed("/a.mp4") < 3_000_000)
        disk.empty()
        let job = try await end(of: "a", remote.trial, worker)
        #expect(job.state == .succeeded, "\(job.fault as Any)")
        #expect(job.machine.failures == 0 && job.machine.crashes == 0)
        #expect(job.machine.interruptions > 0 && job.machine.attempt == 1)
    }

    @Test(
        "a disk that fills midway does the same, and what had come is not fetched again (F3)",
        arguments: [false, true])
    func midway(isInHelper: Bool) async throws {
        let disk = Disk()
        let remote = try trial(disk)
        let bytes = try Clip.base(seconds: 1).padded(by: 8_000_000)
        let address = remote.serve("/a.mp4", bytes) { object in
            object.faults.stalls = [OriginStall(at: 1_000_000)]
            // The index comes last, or without a reliable version all has to be here before it is known what to do.
            if isInHelper { return object.faults.ranges = .ignored }
            (object.tag, object.lastModified) = (.weak("w"), nil)
        }
        let worker = try remote.trial.worker()
        let events = worker.events()
        let looks = disk.looks
        _ = try remote.trial.store.submit([try remote.trial.spec("a", [address])])
        worker.start()
        // There was room for all of it.
        #expect(
            remote.origin.wait { $0.bytesServed("/a.mp4") > 0 && disk.looks > looks })
        disk.fill()
        remote.origin.release("/a.mp4")
        #expect(await pauses(worker, events))
        disk.empty()
        let job = try await end(of: "a", remote.trial, worker)
        #expect(job.state == .succeeded, "\(job.fault as Any)")
        #expect(job.machine.failures == 0 && job.machine.crashes == 0)
        #expect(job.machine.interruptions > 0 && job.machine.attempt == 1)
        let first = remote.origin.requests("/a.mp4").filter { $0.range == "bytes=0-262143" }
        #expect(isInHelper || first.count == 1)
    }
}
