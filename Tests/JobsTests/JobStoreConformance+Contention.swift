import TakeupJobs
import TakeupLanes
import TestSupport
import Testing

extension JobStoreConformance {
    @Test(
        "accepts one id once from 64 that submit it at the same time", arguments: StoreKind.allCases
    )
    func manySubmitters(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let stores = try (0..<64).map { _ in try trial.again() }
        let (answers, errors) = (Locked<[Acceptance]>([]), Locked<[String]>([]))
        let group = LaneGroup()
        for (number, store) in stores.enumerated() {
            group.start("submit \(number)") {
                do {
                    let answer = try store.submit([StoreTrial.spec("same")])
                    answers.withLock { $0 += answer }
                } catch {
                    errors.withLock { $0.append("\(error)") }
                }
            }
        }
        group.wait()
        #expect(errors.withLock { $0 } == [])
        let all = answers.withLock { $0 }
        #expect(all.count == 64 && all.filter { $0 == .accepted }.count == 1)
        #expect(all.filter { $0 == .duplicate(.queued) }.count == 63)
    }

    @Test("opens a new store for 16 at the same time", arguments: StoreKind.allCases)
    func manyOpeners(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let folder = trial.folder.file("new")
        let errors = Locked<[String]>([])
        let group = LaneGroup()
        for number in 0..<16 {
            group.start("open \(number)") {
                do {
                    let store = try kind.open(in: folder, now: { 1 }, random: { 0 })
                    _ = try store.submit([StoreTrial.spec("\(number)")])
                } catch {
                    errors.withLock { $0.append("\(error)") }
                }
            }
        }
        group.wait()
        #expect(errors.withLock { $0 } == [])
        let store = try kind.open(in: folder, now: { 1 }, random: { 0 })
        #expect(try store.counts() == [.queued: 16])
    }

    @Test("gives each of 3,200 jobs to one of eight claimers", arguments: StoreKind.allCases)
    func manyClaimers(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let stores = try (0..<8).map { _ in try trial.again() }
        let (leases, errors) = (Locked<[Lease]>([]), Locked<[String]>([]))
        let group = LaneGroup()
        for (number, store) in stores.enumerated() {
            group.start("claim \(number)") {
                do {
                    let specs = (0..<400).map { StoreTrial.spec("\(number)-\($0)") }
                    // In short transactions: a writer waits for seven others, and for ten seconds at most.
                    for first in stride(from: 0, to: specs.count, by: 50) {
                        _ = try store.submit(Array(specs[first..<first + 50]))
                    }
                    let claimed = try Self.claimAll(store, WorkerID(rawValue: "w\(number)"))
                    leases.withLock { $0 += claimed }
                } catch {
                    errors.withLock { $0.append("\(error)") }
                }
            }
        }
        group.wait()
        #expect(errors.withLock { $0 } == [])
        // One that saw nothing due may have stopped before another submitted.
        let rest = try Self.claimAll(trial.store, WorkerID(rawValue: "last"))
        let all = leases.withLock { $0 } + rest
        #expect(all.count == 3200)
        #expect(Set(all.map(\.job)).count == 3200)
        #expect(Set(all.map(\.token)).count == 3200)
        #expect(try trial.store.counts() == [.succeeded: 3200])
    }

    private static func claimAll(_ store: any JobStore, _ worker: WorkerID) throws -> [Lease] {
        var leases: [Lease] = []
        while let (lease, _) = try store.claim(by: worker, leaseSeconds: 30) {
            leases.append(lease)
            guard try store.finish(lease, .succeeded(StoreTrial.result)) == .succeeded else {
                Issue.record("\(lease) was lost")
                return leases
            }
        }
        return leases
    }

    @Test("ends a job once when cancels meet successes", arguments: StoreKind.allCases)
    func cancelsMeetSuccesses(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let leases = try (0..<200).map { try trial.running("\($0)") }
        let (worker, user) = (try trial.again(), try trial.again())
        let (ended, asked) = (Locked<[JobState?]>([]), Locked<[JobStateMachine.Action?]>([]))
        let errors = Locked<[String]>([])
        let group = LaneGroup()
        group.start("worker") {
            do {
                for lease in leases {
                    let state = try worker.finish(lease, .succeeded(StoreTrial.result))
                    ended.withLock { $0.append(state) }
                }
            } catch {
                errors.withLock { $0.append("\(error)") }
            }
        }
        group.start("user") {
            do {
                for lease in leases {
                    let action = try user.cancel(lease.job)
                    asked.withLock { $0.append(action) }
                }
            } catch {
                errors.withLock { $0.append("\(error)") }
            }
        }
        group.wait()
        #expect(errors.withLock { $0 } == [])
        #expect(ended.withLock { $0 } == Array(repeating: .succeeded, count: 200))
        #expect(asked.withLock { $0.allSatisfy { $0 == .stopWorker || $0 == .ignore } })
        #expect(try trial.store.counts() == [.succeeded: 200])
    }
}
