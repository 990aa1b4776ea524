import TakeupFFmpeg
import Testing

@Suite("Packet")
struct PacketTests {
    @Test("a new one is empty and has no times")
    func empty() throws {
        let packet = try Packet()
        #expect(packet.byteCount == 0 && packet.bytes.isEmpty)
        #expect(packet.ptsTicks == nil && packet.dtsTicks == nil && packet.durationTicks == 0)
        #expect(packet.position == nil)
        #expect(!packet.isKey && !packet.isCorrupt && !packet.isDiscarded && !packet.isEncrypted)
    }

    @Test("holds the bytes that it was given, and lets go of them")
    func bytes() throws {
        let packet = try Packet()
        try packet.setBytes([1, 2, 3])
        #expect(packet.bytes == [1, 2, 3])
        try packet.setBytes([])
        #expect(packet.byteCount == 0)
        try packet.setBytes([4])
        packet.ptsTicks = 5
        packet.clear()
        #expect(packet.bytes.isEmpty && packet.ptsTicks == nil)
    }

    @Test("a duplicate keeps its payload when the first is cleared")
    func duplicate() throws {
        let packet = try Packet()
        try packet.setBytes([7, 8])
        packet.streamIndex = 3
        packet.dtsTicks = 11
        let copy = try packet.duplicate()
        packet.clear()
        #expect(copy.bytes == [7, 8] && copy.streamIndex == 3 && copy.dtsTicks == 11)
    }

    @Test("moves the times that it has; those beyond reason count as none")
    func shift() throws {
        let packet = try Packet()
        packet.shift(byTicks: 10)
        #expect(packet.ptsTicks == nil && packet.dtsTicks == nil)
        packet.ptsTicks = 5
        packet.dtsTicks = .max - 1
        packet.shift(byTicks: 10)
        #expect(packet.ptsTicks == 15 && packet.dtsTicks == nil)
    }

    @Test("converts its times to the nearest tick of another base")
    func rescale() throws {
        let packet = try Packet()
        packet.ptsTicks = 1001
        packet.durationTicks = 3
        packet.rescale(from: TimeBase(1, 30_000), to: TimeBase(1, 90_000))
        #expect(packet.ptsTicks == 3003 && packet.durationTicks == 9 && packet.dtsTicks == nil)
    }
}
