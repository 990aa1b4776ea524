import Testing

@testable import TakeupWatch

@Suite("Watch table")
struct WatchTableTests {
    private func table() -> WatchTable {
        var table = WatchTable()
        for (watch, path) in [(1, ""), (2, "a"), (3, "a/b"), (4, "a/b/c"), (5, "ab")] {
            #expect(table.insert(Int32(watch), path).isEmpty)
        }
        return table
    }

    @Test("forgets a folder with all below it, and nothing beside it")
    func removesBelow() {
        var table = table()
        #expect(table.remove(below: "a").sorted() == [2, 3, 4])
        #expect(table.count == 2)
        #expect(table.path(of: 5) == "ab" && table.path(of: 3) == nil)
        #expect(table.remove(below: "a").isEmpty)
    }

    @Test("a watch that comes again for another path is a folder that has moved")
    func moves() {
        var table = table()
        #expect(table.insert(2, "z").sorted() == [3, 4])
        #expect(table.path(of: 2) == "z")
        #expect(table.insert(2, "z").isEmpty)
    }

    @Test("another folder at a path takes the old one's place")
    func replaces() {
        var table = table()
        #expect(table.insert(9, "a/b").sorted() == [3, 4])
        #expect(table.remove(below: "a").sorted() == [2, 9])
    }

    @Test("finds folders below one that was never armed")
    func loose() {
        var table = WatchTable()
        _ = table.insert(1, "")
        _ = table.insert(2, "x/y")
        _ = table.insert(3, "xy")
        #expect(table.remove(below: "x") == [2])
        #expect(table.count == 2)
    }

    @Test("forgets one watch alone")
    func removesOne() {
        var table = table()
        table.remove(4)
        table.remove(4)
        #expect(table.path(of: 4) == nil && table.count == 4)
        #expect(table.remove(below: "a").sorted() == [2, 3])
    }
}
