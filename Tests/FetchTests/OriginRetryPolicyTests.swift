import TakeupFetch
import Testing

@Suite("Origin retry policy")
struct OriginRetryPolicyTests {
    @Test("doubles the wait up to the longest, and gives up at the last try")
    func doubles() {
        var policy = OriginRetryPolicy(maximumTries: 8)
        for seconds in [0.5, 1, 2, 4, 8, 8, 8] {
            #expect(policy.failed(random: 1) == .retry(afterSeconds: seconds))
        }
        #expect(policy.failed(random: 1) == .giveUp)
    }

    @Test("gives up at the fifth failure without progress")
    func fifth() {
        var policy = OriginRetryPolicy()
        for _ in 1...4 { #expect(policy.failed(random: 0) == .retry(afterSeconds: 0)) }
        #expect(policy.failed(random: 0) == .giveUp)
        #expect(policy.failures == 5)
    }

    @Test("counts anew after progress")
    func progress() {
        var policy = OriginRetryPolicy()
        for _ in 1...100 {
            #expect(policy.failed(random: 0.5) == .retry(afterSeconds: 0.25))
            policy.tried(bringing: 1)
        }
    }

    @Test("goes on at once after a try that brought bytes, and waits from the next one on")
    func prompt() {
        var policy = OriginRetryPolicy()
        for _ in 1...100 {
            policy.tried(bringing: OriginRetryPolicy.promptBytes)
            #expect(policy.failed(random: 1) == .retry(afterSeconds: 0))
        }
        for seconds in [0.5, 1, 2, 4] {
            policy.tried(bringing: 0)
            #expect(policy.failed(random: 1) == .retry(afterSeconds: seconds))
        }
        #expect(policy.failed(random: 1) == .giveUp)
        policy.tried(bringing: OriginRetryPolicy.promptBytes)
        #expect(policy.failed(originSeconds: 30, random: 0) == .retry(afterSeconds: 30))
    }

    @Test("waits at least as long as the origin asks")
    func origin() {
        var policy = OriginRetryPolicy()
        #expect(policy.failed(originSeconds: 30, random: 1) == .retry(afterSeconds: 30))
        #expect(policy.failed(originSeconds: 0, random: 0.5) == .retry(afterSeconds: 0.5))
    }
}
