import TakeupJobs
import TakeupSQL
import TakeupSQLite
import Testing

@testable import TakeupWorker

@Suite("Ending tries")
struct EndingTriesTests {
    private static let busy = JobStoreError.store(
        SQLError(.step, code: 5, message: "database is locked", database: "x"))

    private static let broken = JobStoreError.store(
        SQLError(.step, code: 10, message: "disk I/O error", database: "x"))

    /// Fails so often, then succeeds.
    private func tries(
        failing count: Int, with error: JobStoreError = Self.broken, mayPause: Bool = true
    ) -> (result: Int?, paused: [Double]) {
        var (left, paused): (Int, [Double]) = (count, [])
        do throws(JobStoreError) {
            let result = try EndingTries.write(
                pause: { seconds, _ in
                    paused.append(seconds)
                    return mayPause
                },
                { () throws(JobStoreError) in
                    guard left == 0 else {
                        left -= 1
                        throw error
                    }
                    return 7
                })
            return (result, paused)
        } catch {
            return (nil, paused)
        }
    }

    @Test("writes again after growing pauses", arguments: 0...4)
    func again(failures: Int) {
        let (result, paused) = tries(failing: failures)
        #expect(result == 7 && paused == Array(EndingTries.pauses.prefix(failures)))
        #expect(paused == paused.sorted())
    }

    @Test("gives up after the last try, and at once with the lease")
    func givesUp() {
        #expect(tries(failing: 5) == (nil, EndingTries.pauses))
        #expect(tries(failing: 1, mayPause: false) == (nil, [EndingTries.pauses[0]]))
    }

    @Test("a database that may answer later is tried as long as the lease stands")
    func passing() {
        let (result, paused) = tries(failing: 7, with: Self.busy)
        #expect(result == 7)
        #expect(
            paused == EndingTries.pauses
                + Array(repeating: EndingTries.outagePause, count: 3))
    }

    @Test("does not repeat what no repetition heals")
    func hopeless() {
        let error = JobStoreError.unreadable(job: "a", reason: "of another version")
        #expect(throws: error) {
            try EndingTries.write(
                pause: { _, _ in
                    Issue.record("paused")
                    return false
                }, { () throws(JobStoreError) -> Int in throw error })
        }
    }
}
