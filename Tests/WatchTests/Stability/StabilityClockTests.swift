import TakeupFiles
import TestSupport
import Testing

@testable import TakeupWatch

@Suite("Stability clock")
struct StabilityClockTests {
    private let wall = 1_700_000_000.0

    private func sight(
        _ now: Double, bytes: Int64 = 10, changedAt: Double, inode: Int64 = 1,
        modifiedAt: Double? = nil, isDone: Bool = false
    ) -> FileSighting {
        let identity = FileIdentity(
            device: 1, inode: inode, bytes: bytes,
            modifiedNanoseconds: Int64((wall + (modifiedAt ?? changedAt)) * 1e9),
            changedNanoseconds: Int64((wall + changedAt) * 1e9))
        return FileSighting(identity, now: now, wallSeconds: wall + now, isDone: isDone)
    }

    private func clock(isNetwork: Bool = false) -> StabilityClock {
        StabilityClock(StabilitySettings(isNetwork: isNetwork))
    }

    @Test("a new file settles when it stood still for the time that was set")
    func settles() {
        var clock = clock()
        #expect(clock.observe("a", sight(100, changedAt: 100)) == .waiting(untilSeconds: 110))
        #expect(clock.observe("a", sight(109.9, changedAt: 100)) == .waiting(untilSeconds: 110))
        #expect(clock.observe("a", sight(110, changedAt: 100)) == .settled)
    }

    @Test("a network's files wait longer, and their times are not believed to the second")
    func network() {
        var clock = clock(isNetwork: true)
        #expect(clock.observe("a", sight(100, changedAt: -100)) == .waiting(untilSeconds: 130))
        #expect(clock.observe("b", sight(100, changedAt: -900)) == .waiting(untilSeconds: 101))
        #expect(clock.observe("b", sight(101, changedAt: -900)) == .settled)
    }

    @Test("a change of content, time or place begins anew", arguments: 0..<3)
    func beginsAnew(kind: Int) {
        var clock = clock()
        _ = clock.observe("a", sight(100, changedAt: 100))
        let changed =
            switch kind {
            case 0: sight(109, bytes: 11, changedAt: 109)
            case 1: sight(109, changedAt: 109)
            default: sight(109, changedAt: 100, inode: 2)
            }
        #expect(clock.observe("a", changed) != .settled)
        let later = FileSighting(changed.identity, now: 118, wallSeconds: wall + 118)
        #expect(clock.observe("a", later) != .settled)
    }

    @Test("three times the longest pause is waited for")
    func learns() {
        var clock = clock()
        _ = clock.observe("a", sight(100, bytes: 1, changedAt: 100))
        _ = clock.observe("a", sight(108, bytes: 2, changedAt: 108))
        let verdict = clock.observe("a", sight(109, bytes: 3, changedAt: 109))
        #expect(verdict == .waiting(untilSeconds: 109 + 24))
    }

    @Test("no pause asks for more than ten minutes, and one that is longer is forgotten")
    func cap() {
        var clock = clock()
        _ = clock.observe("a", sight(100, bytes: 1, changedAt: 100))
        let long = clock.observe("a", sight(500, bytes: 2, changedAt: 500))
        #expect(long == .waiting(untilSeconds: 1100))
        let anew = clock.observe("a", sight(1500, bytes: 3, changedAt: 1500))
        #expect(anew == .waiting(untilSeconds: 1510))
    }

    @Test("what grows after it was taken teaches the pause that its writer made")
    func recalls() {
        var clock = clock()
        let taken = sight(125, bytes: 1, changedAt: 100).identity
        clock.recall("a", taken, now: 125, wallSeconds: wall + 125)
        let grown = clock.observe("a", sight(125, bytes: 2, changedAt: 125))
        #expect(grown == .waiting(untilSeconds: 125 + 75))
        let closed = clock.observe("a", sight(126, bytes: 2, changedAt: 125, isDone: true))
        #expect(closed == .waiting(untilSeconds: 125 + 75))
        // What is known already says more.
        clock.recall("a", taken, now: 127, wallSeconds: wall + 127)
        #expect(
            clock.observe("a", sight(127, bytes: 2, changedAt: 125))
                == .waiting(untilSeconds: 125 + 75))
    }

    @Test(
        "what was written anew after it was taken teaches nothing",
        arguments: [(1, 130, 1), (9, 130, 1), (11, 130, 2), (11, 900, 1)]
            as [(Int64, Double, Int64)])
    func recallsNothing(bytes: Int64, changedAt: Double, inode: Int64) {
        var clock = clock()
        let taken = sight(100, changedAt: 100).identity
        clock.recall("a", taken, now: changedAt, wallSeconds: wall + changedAt)
        let sighting = sight(changedAt, bytes: bytes, changedAt: changedAt, inode: inode)
        #expect(clock.observe("a", sighting) == .waiting(untilSeconds: changedAt + 10))
    }

    @Test("a writer's word shortens the wait until it is broken")
    func word() {
        var clock = clock()
        _ = clock.observe("a", sight(100, bytes: 1, changedAt: 100))
        _ = clock.observe("a", sight(109, bytes: 2, changedAt: 109))
        let done = clock.observe("a", sight(110, bytes: 2, changedAt: 109, isDone: true))
        #expect(done == .waiting(untilSeconds: 119))
        let broken = clock.observe("a", sight(115, bytes: 3, changedAt: 115, isDone: true))
        #expect(broken == .waiting(untilSeconds: 115 + 27))
    }

    @Test("a file whose room was set aside is learnt from as one that grows")
    func preallocated() {
        var clock = clock()
        _ = clock.observe("a", sight(100, changedAt: 100))
        let filled = clock.observe("a", sight(108, changedAt: 108))
        #expect(filled == .waiting(untilSeconds: 108 + 24))
    }

    @Test("a file that is emptied and written again is as a new one")
    func truncated() {
        var clock = clock()
        _ = clock.observe("same", sight(100, bytes: 1000, changedAt: 100, isDone: true))
        let same = clock.observe("same", sight(109, bytes: 1000, changedAt: 108, isDone: true))
        #expect(same == .waiting(untilSeconds: 118))
        _ = clock.observe("a", sight(100, bytes: 1000, changedAt: 100, isDone: true))
        _ = clock.observe("a", sight(108, bytes: 5, changedAt: 108))
        let done = clock.observe("a", sight(109, bytes: 900, changedAt: 109, isDone: true))
        #expect(done == .waiting(untilSeconds: 119))
    }

    @Test("an empty file never settles")
    func empty() {
        var clock = clock()
        for now in stride(from: 0.0, to: 5_000, by: 50) {
            #expect(clock.observe("a", sight(now, bytes: 0, changedAt: -9_000)) != .settled)
        }
    }

    @Test("an old file settles at the second look; a copy with an old time does not")
    func oldFiles() {
        var clock = clock()
        #expect(clock.observe("old", sight(0, changedAt: -61)) == .waiting(untilSeconds: 1))
        #expect(clock.observe("old", sight(0.5, changedAt: -61)) == .waiting(untilSeconds: 1))
        #expect(clock.observe("old", sight(1, changedAt: -61)) == .settled)
        let copy = clock.observe("copy", sight(0, changedAt: -1, modifiedAt: -9_999))
        #expect(copy == .waiting(untilSeconds: 10))
        let stalled = clock.observe("stalled", sight(0, changedAt: -30))
        #expect(stalled == .waiting(untilSeconds: 10))
    }

    @Test("many old files settle at the second look, in work that grows evenly")
    func manyOldFiles() {
        let growth = WorkGrowth(from: 2500, to: 20_000) { count in
            var clock = clock()
            let paths = (0..<count).map { "folder \($0 / 1000)/clip \($0).mov" }
            var settled = 0
            for path in paths { _ = clock.observe(path, sight(0, changedAt: -3600)) }
            for path in paths where clock.observe(path, sight(2, changedAt: -3600)) == .settled {
                settled += 1
            }
            #expect(settled == count)
        }
        #expect(growth.factor < 24)
        #expect(growth.seconds < 1)
    }

    @Test("a file from the future waits from the first look on")
    func future() {
        var clock = clock()
        #expect(clock.observe("a", sight(0, changedAt: 9_000)) == .waiting(untilSeconds: 10))
        #expect(clock.observe("a", sight(10, changedAt: 9_000)) == .settled)
    }

    @Test("forgets files that are gone")
    func forgets() {
        var clock = clock()
        for number in 0..<10 { _ = clock.observe("\(number)", sight(0, changedAt: 0)) }
        clock.forget("3")
        #expect(clock.count == 9)
        #expect(clock.observe("3", sight(10, changedAt: 0)) == .waiting(untilSeconds: 20))
        clock.forgetAll()
        #expect(clock.count == 0)
    }
}
