import TakeupJobs
import Testing

@testable import TakeupWorker

@Suite("Jobs that a worker leaves to others")
struct LeftJobsTests {
    @Test("are left for ten minutes, and no more than a hundred")
    func lasts() {
        let jobs = LeftJobs()
        let began = ContinuousClock.now
        for number in 0...100 {
            jobs.add(JobID(rawValue: "\(number)"), at: began + .seconds(number))
        }
        let present = jobs.present(at: began + .seconds(100))
        #expect(present.count == 100 && !present.contains(JobID(rawValue: "0")))
        #expect(jobs.present(at: began + .seconds(699)).map(\.rawValue) == ["100"])
        #expect(jobs.present(at: began + .seconds(700)).isEmpty)
    }
}
