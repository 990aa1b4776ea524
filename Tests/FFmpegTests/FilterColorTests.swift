import Testing

@testable import TakeupFFmpeg

@Suite("Colours for filters")
struct FilterColorTests {
    @Test("are told to a source that knows the options, as numbers")
    func told() {
        let color = ColorDescription(matrix: "smpte170m", range: "pc")
        let seven: UInt32 = 10 << 16 | 1 << 8 | 100
        let five: UInt32 = 8 << 16 | 44 << 8 | 100
        #expect(FilterGraph.colorArguments(color, version: seven) == ":colorspace=6:range=2")
        #expect(FilterGraph.colorArguments(color, version: five) == "")
        #expect(FilterGraph.colorArguments(ColorDescription(), version: seven) == "")
        let unknown = ColorDescription(matrix: "no such matrix", range: "tv")
        #expect(FilterGraph.colorArguments(unknown, version: seven) == ":range=1")
    }
}
