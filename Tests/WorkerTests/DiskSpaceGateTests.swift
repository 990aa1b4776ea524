import Testing

@testable import TakeupWorker

@Suite("Space gate")
struct DiskSpaceGateTests {
    private func need(_ folder: String = "/a", _ bytes: Int64 = 1) -> DiskSpaceGate.Need {
        DiskSpaceGate.Need(folder: folder, bytes: bytes, until: .now)
    }

    @Test("a full folder is told once, however often it is tried in vain")
    func once() {
        let gate = DiskSpaceGate()
        #expect(gate.close(need()))
        for _ in 0..<3 {
            #expect(!gate.close(need()))
            gate.letTry()
            #expect(gate.need == nil && !gate.hasFoundRoom())
            #expect(!gate.close(need("/a", 2)) && gate.need?.bytes == 2)
        }
        #expect(gate.open() && !gate.open())
        #expect(gate.close(need()) && gate.open())
    }

    @Test("a try that meets no full disk has found room, and another folder is told")
    func room() {
        let gate = DiskSpaceGate()
        let now = ContinuousClock.now
        #expect(gate.close(need()))
        gate.letTry(now: now)
        #expect(!gate.hasFoundRoom(now: now + .seconds(59)))
        #expect(gate.hasFoundRoom(now: now + .seconds(60)))
        #expect(!gate.hasFoundRoom(now: now + .seconds(61)) && !gate.noteResult())
        #expect(gate.close(need()))
        gate.letTry(now: now)
        #expect(gate.close(need("/b")))
        #expect(!gate.hasFoundRoom(now: now + .seconds(600)) && !gate.noteResult())
    }

    @Test("a result has found room at once; while the disk is full it says nothing")
    func result() {
        let gate = DiskSpaceGate()
        #expect(gate.close(need()) && !gate.noteResult())
        gate.letTry()
        #expect(gate.noteResult() && !gate.noteResult())
        #expect(gate.close(need()))
    }
}
