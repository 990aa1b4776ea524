import Testing

@testable import TakeupExport

@Suite("Headers of frames of sound")
struct FrameHeadersTests {
    /// A header of this sample rate's index and number of channels, and no sound behind it.
    private func header(_ rate: UInt8, _ channels: UInt8) -> [UInt8] {
        [0xFF, 0xF1, 0x40 | rate << 2 | channels >> 2, (channels & 3) << 6, 0, 0x1F, 0xFC, 0]
    }

    private func changes(_ packets: [[UInt8]], _ codec: String = "aac") -> [Bool] {
        var headers = FrameHeaders(codec)
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

    @Test("joint stereo beside stereo is no change, mono is")
    func mpeg() {
        let stereo: [UInt8] = [0xFF, 0xFB, 0x90, 0x00, 0, 0, 0, 0]
        let joint: [UInt8] = [0xFF, 0xFB, 0xB2, 0x60, 0, 0, 0, 0]
        let mono: [UInt8] = [0xFF, 0xFB, 0x90, 0xC0, 0, 0, 0, 0]
        let slow: [UInt8] = [0xFF, 0xFB, 0x94, 0x00, 0, 0, 0, 0]
        #expect(!changes([stereo, joint, joint, stereo], "mp3").contains(true))
        #expect(changes([stereo, mono, mono], "mp3") == [false, false, true])
        #expect(changes([stereo, slow, slow], "mp3") == [false, false, true])
    }

    @Test("bit rates of AC-3 may change, its channels may not; added channels say nothing")
    func dolby() {
        let frame: [UInt8] = [0x0B, 0x77, 1, 2, 0x14, 0x40, 0x43, 0xE1]
        let larger: [UInt8] = [0x0B, 0x77, 3, 4, 0x1C, 0x40, 0x43, 0xE1]
        let wide: [UInt8] = [0x0B, 0x77, 3, 4, 0x1C, 0x40, 0xE1, 0xE1]
        #expect(!changes([frame, larger, larger], "ac3").contains(true))
        #expect(changes([frame, wide, wide], "ac3") == [false, false, true])
        let main: [UInt8] = [0x0B, 0x77, 0x02, 0xFF, 0x3F, 0x86, 0, 0]
        let added: [UInt8] = [0x0B, 0x77, 0x42, 0xFF, 0x34, 0x86, 0, 0]
        let slow: [UInt8] = [0x0B, 0x77, 0x02, 0xFF, 0x7F, 0x86, 0, 0]
        #expect(!changes([main, added, added, main, added, added], "eac3").contains(true))
        #expect(changes([main, slow, slow], "eac3") == [false, false, true])
    }
}
