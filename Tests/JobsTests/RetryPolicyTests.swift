import TakeupJobs
import Testing

@Suite("Retry policy")
struct RetryPolicyTests {
    @Test(
        "doubles up to its most", arguments: [(1, 5.0), (2, 10), (7, 320), (8, 600), (1000, 600)])
    func ceiling(attempt: Int, seconds: Double) {
        #expect(RetryPolicy().ceiling(attempt: attempt) == seconds)
    }

    @Test("spreads waits evenly from zero to the ceiling")
    func jitter() {
        var random = SystemRandomNumberGenerator()
        let policy = RetryPolicy()
        var buckets = [Int](repeating: 0, count: 10)
        for _ in 0..<10_000 {
            let delay = policy.delay(attempt: 3, random: Double.random(in: 0..<1, using: &random))
            #expect((0..<20).contains(delay))
            buckets[Int(delay / 2)] += 1
        }
        // 1,000 are expected in each; a tenth of that off is three standard deviations.
        #expect(buckets.allSatisfy { (850...1150).contains($0) })
    }
}
