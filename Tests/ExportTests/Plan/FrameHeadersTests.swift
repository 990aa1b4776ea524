import Testing

@testable import TakeupExport

@Suite("Headers of AAC that is not in a container")
struct ADTSHeadersTests {
    /// A header of this sample rate's index and number of channels, and no sound behind it.
    private func header(_ rate: UInt8, _ channels: UInt8) -> [UInt8] {
        [0xFF, 0xF1, 0x40 | rate << 2 | channels >> 2, (channels & 3) << 6, 0, 0x1F, 0xFC, 0]
    }

    private func changes(_ packets: [[UInt8]]) -> [Bool] {
        var headers = ADTSHeaders()
        return packets.map { $0.withUnsafeBufferPointer { headers.change(in: $0) } }
    }

    @Test("that stay the same are no change, nor is one that differs")
    func same() {
        let usual = header(4, 2)
        #expect(changes([usual, usual, usual]) == [false, false, false])
        #expect(changes([usual, header(3, 2), usual, header(4, 1), usual]).contains(true) == false)
        #expect(changes([usual, header(3, 2), header(5, 2), usual]).contains(true) == false)
    }

    @Test("that stay another are a change")
    func other() {
        let usual = header(4, 2)
        #expect(
            changes([usual, usual, header(3, 2), header(3, 2)]) == [false, false, false, true])
        #expect(changes([usual, header(4, 1), header(4, 1)]) == [false, false, true])
    }

    @Test("what is no header says nothing")
    func none() {
        let usual = header(4, 2)
        #expect(
            changes([[], [0xFF], usual, [0, 0, 0, 0, 0, 0, 0, 0], usual]).contains(true) == false)
    }
}
