import TestSupport
import Testing

@testable import TakeupExport

@Suite("Frame codes of NUT")
struct NUTFramesTests {
    @Test("a table with numbers beyond all limits is no table")
    func hostile() throws {
        let most = [UInt8](repeating: 0xFF, count: 8) + [0x7F]
        let minusOne = [UInt8](repeating: 0xFF, count: 9) + [0x7F]
        // Version, streams, distance and time bases; then flags and four fields, whose difference overflows.
        let bytes = [3, 1, 1, 0, 0, 4, 0] + most + [0] + minusOne
        let window = try #require(ByteWindow(MemorySource(bytes)))
        #expect(NUTFrames(window, 0) == nil)
    }
}
