import Foundation
import TakeupJobs
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupWorker

@Suite("Worker's presence")
struct WorkerPresenceTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "takeup-presence-\(UUID().uuidString)").path

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(folder)/workers").sorted()
    }

    @Test("a living worker is told from a dead one, whose files are swept")
    func sweeping() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (one, other) = (
            try WorkerPresence(folder: folder, isCommon: true),
            try WorkerPresence(folder: folder, isCommon: true)
        )
        let host = try #require(one.id.rawValue.split(separator: "-").first)
        // No process has a number as high as this.
        let dead = WorkerID(rawValue: "\(host)-\(pid_t.max)-dead")
        let files = "\(folder)/workers/\(dead)"
        #expect(FileManager.default.createFile(atPath: "\(files).lock", contents: nil))
        try FileManager.default.createDirectory(
            atPath: "\(files).scratch/left", withIntermediateDirectories: true)
        #expect(one.dead(among: [other.id, dead]) == [dead])
        one.sweep(except: [])
        #expect(try names().count == 4)
        #expect(one.dead(among: [other.id, dead]) == [dead])
    }

    @Test("of a worker that died without a job its neighbours ask a server once, not for ever")
    func neighbours() async throws {
        let trial = try WorkerTrial()
        let database = try TestDatabase.postgres.database(in: trial.directory.path)
        let worker = try Worker(
            store: try SQLJobStore(database), cache: trial.cache,
            configuration: trial.configuration)
        worker.start()
        let lock = "\(trial.configuration.stateFolder)/workers/x-\(pid_t.max)-dead.lock"
        #expect(FileManager.default.createFile(atPath: lock, contents: nil))
        let end = ContinuousClock.now + .seconds(60)
        while FileManager.default.fileExists(atPath: lock) {
            try #require(ContinuousClock.now < end, "nobody has swept it")
            try await Task.sleep(for: .milliseconds(50))
        }
        worker.drain()
        await worker.finished()
    }

    @Test("a living worker whose lock file was removed is not taken for dead")
    func unlocked() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (one, other) = (
            try WorkerPresence(folder: folder, isCommon: true),
            try WorkerPresence(folder: folder, isCommon: true)
        )
        try FileManager.default.removeItem(atPath: "\(folder)/workers/\(other.id).lock")
        #expect(one.dead(among: [other.id]).isEmpty)
        try FileManager.default.removeItem(atPath: "\(folder)/workers")
        #expect(one.dead(among: [other.id]).isEmpty)
    }

    @Test("one that has left leaves nothing")
    func leaving() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let presence = try WorkerPresence(folder: folder, isCommon: true)
        #expect(try names().count == 2)
        presence.leave()
        #expect(try names().isEmpty)
    }

    @Test("a worker that begins while others sweep is not taken for a dead one")
    func beginning() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let watcher = try WorkerPresence(folder: folder, isCommon: true)
        let (isOver, lanes) = (Locked(false), LaneGroup())
        lanes.start("takeup.test.sweep") {
            while !isOver.withLock({ $0 }) { watcher.sweep(except: []) }
        }
        var lost: [WorkerID] = []
        for _ in 0..<200 {
            let presence = try WorkerPresence(folder: folder, isCommon: true)
            lost += watcher.dead(among: [presence.id])
            if !FileManager.default.fileExists(atPath: presence.scratch) {
                lost.append(presence.id)
            }
        }
        isOver.withLock { $0 = true }
        lanes.wait()
        #expect(lost.isEmpty)
    }
}
