import Testing

@testable import TakeupWatch

@Suite("Hint collector")
struct HintCollectorTests {
    @Test("the last that was heard of a file counts")
    func merges() {
        var hints = HintCollector()
        hints.change("a", in: "d", isClosed: false)
        hints.change("a", in: "d", isClosed: true)
        hints.change("a", in: "d", isClosed: nil)
        hints.change("b", in: "", isClosed: true)
        hints.change("b", in: "", isClosed: false)
        hints.change("c", in: "", isClosed: nil)
        let merged = hints.drain()
        #expect(
            merged.changes == [
                .init(path: "b", isClosed: false), .init(path: "c", isClosed: false),
                .init(path: "d/a", isClosed: true),
            ])
        #expect(hints.drain().isEmpty)
    }

    @Test("two spellings of one word are two files")
    func exact() {
        var hints = HintCollector()
        hints.change("\u{E9}", in: "", isClosed: true)
        hints.change("e\u{301}", in: "", isClosed: true)
        #expect(hints.drain().changes.count == 2)
    }

    @Test("a folder of too many names is scanned instead")
    func collapses() {
        var hints = HintCollector(mostNames: 3, mostHints: 100)
        for name in ["1", "2", "3"] { hints.change(name, in: "d", isClosed: true) }
        hints.change("x", in: "", isClosed: true)
        hints.change("3", in: "d", isClosed: false)
        for name in ["4", "5"] { hints.change(name, in: "d", isClosed: true) }
        let merged = hints.drain()
        #expect(merged.changes == [.init(path: "x", isClosed: true)])
        #expect(merged.folders == ["d"])
        #expect(!merged.hasOverflowed)
    }

    @Test("too many hints altogether are none but that everything is scanned")
    func overflows() {
        var hints = HintCollector(mostNames: 3, mostHints: 5)
        hints.loseRoot()
        for name in ["1", "2", "3", "4", "5", "6"] { hints.change("x", in: name, isClosed: true) }
        hints.scan("later")
        let merged = hints.drain()
        #expect(merged.hasOverflowed && merged.rootHasGone)
        #expect(merged.changes.isEmpty && merged.folders.isEmpty)
        hints.change("x", in: "1", isClosed: true)
        #expect(hints.drain().changes.count == 1)
    }

    @Test("folders below one that is scanned are not told beside it")
    func covers() {
        var hints = HintCollector()
        for folder in ["a/b/c", "a", "a-b", "ab/c"] { hints.scan(folder) }
        #expect(hints.drain().folders == ["a", "a-b", "ab/c"])
        for folder in ["a/b", ""] { hints.scan(folder) }
        #expect(hints.drain().folders == [""])
    }

    @Test("of a folder that came and went the last counts")
    func comesAndGoes() {
        var hints = HintCollector()
        hints.scan("a")
        hints.leave("a")
        hints.leave("b")
        hints.scan("b")
        let merged = hints.drain()
        #expect(merged.goneFolders == ["a"] && merged.folders == ["b"])
    }
}
