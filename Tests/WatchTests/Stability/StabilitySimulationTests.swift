import TestSupport
import Testing

@testable import TakeupWatch

@Suite("Stability, simulated")
struct StabilitySimulationTests {
    /// A writer of one of three kinds, with pauses of up to 20 seconds.
    private func writer(_ random: inout SeededRandom) -> SimulatedWriter {
        var writer = SimulatedWriter(from: random.share() * 5)
        let pieces = 1 + random.below(40)
        let pauses = { random.below(5) == 0 ? random.share() * 20 : random.share() * 0.5 }
        switch random.below(3) {
        case 0: writer.write(pieces: pieces, pauses: pauses)
        case 1:
            writer.wait(20)
            writer.moveIn(1_000_000)
            return writer
        default:
            writer.write(pieces: pieces, pauses: pauses)
            writer.close()
            writer.wait(random.share() * 9)
            writer.truncate()
            writer.write(pieces: pieces, pauses: pauses)
        }
        writer.close()
        return writer
    }

    @Test("takes no file before its end and each within the time set and three seconds")
    func acceptance() throws {
        var latest = 0.0
        for seed in 0..<2_000 {
            var random = SeededRandom(state: UInt64(seed))
            let writer = writer(&random)
            let taken = try #require(SimulatedWatch().takes(writer), "seed \(seed)")
            #expect(taken >= writer.endSeconds, "seed \(seed)")
            latest = max(latest, taken - writer.endSeconds)
        }
        #expect(latest <= StabilitySettings.localSeconds + 3)
    }

    @Test("without events or writers, a pause below three times the longest before it is no end")
    func byTheClockAlone() throws {
        for seed in 0..<1_000 {
            var random = SeededRandom(state: UInt64(seed))
            var writer = SimulatedWriter(from: 0)
            writer.write(1)
            var longest = 0.0
            for _ in 0..<(2 + random.below(12)) {
                let least = StabilitySettings.localSeconds
                let pause = random.share() * min(max(least, 3 * longest), 150) * 0.99
                writer.wait(pause)
                writer.write(1)
                longest = max(longest, pause)
            }
            let watch = SimulatedWatch(hasEvents: false, seesWriters: false)
            let taken = try #require(watch.takes(writer), "seed \(seed)")
            #expect(taken >= writer.endSeconds, "seed \(seed)")
        }
    }

    @Test("a first pause beyond the time set cannot be told from an end by the clock alone")
    func whatCannotBeKnown() throws {
        var writer = SimulatedWriter(from: 0)
        writer.write(1)
        writer.wait(15)
        writer.write(1)
        writer.close()
        let blind = SimulatedWatch(hasEvents: false, seesWriters: false)
        #expect(try #require(blind.takes(writer)) < writer.endSeconds)
        #expect(try #require(SimulatedWatch().takes(writer)) >= writer.endSeconds)
    }

    @Test("a writer that closes after each piece is not believed after the first")
    func closesEachTime() throws {
        for seed in 0..<500 {
            var random = SeededRandom(state: UInt64(seed))
            var writer = SimulatedWriter(from: 0)
            var longest = 0.0
            for _ in 0..<10 {
                writer.write(1)
                writer.close()
                let pause = random.share() * max(9.9, min(2.9 * longest, 60))
                longest = max(longest, pause)
                writer.wait(pause)
            }
            writer.write(1)
            writer.close()
            let taken = try #require(SimulatedWatch().takes(writer), "seed \(seed)")
            #expect(taken >= writer.endSeconds, "seed \(seed)")
        }
    }

    @Test("on a network, rare looks take nothing early that pauses for less than the time set")
    func network() throws {
        for seed in 0..<500 {
            var random = SeededRandom(state: UInt64(seed))
            var writer = SimulatedWriter(from: 0)
            writer.write(1)
            writer.write(pieces: 20) { random.share() * 29 }
            let watch = SimulatedWatch(
                lookSeconds: 7, hasEvents: false, seesWriters: false, isNetwork: true)
            let taken = try #require(watch.takes(writer), "seed \(seed)")
            #expect(taken >= writer.endSeconds, "seed \(seed)")
        }
    }
}
