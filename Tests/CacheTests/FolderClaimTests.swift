import Testing

@testable import TakeupCache

@Suite("Which folder is the cache's")
struct FolderClaimTests {
    private static func verdict(
        _ found: FolderClaim.Found, known: String?, entries: Bool, held: Bool = false,
        adopting: Bool = false
    ) throws -> FolderClaim.Verdict {
        try FolderClaim(
            database: "db", known: known, hasEntries: entries, isAdopting: adopting
        ).verdict(on: found) { held }
    }

    @Test("a new database begins with what is not there or empty, and with nothing else")
    func first() throws {
        for isThere in [true, false] {
            #expect(
                try Self.verdict(.nothing(isThere: isThere), known: nil, entries: false) == .mark)
        }
        #expect(try Self.verdict(.ownerless, known: nil, entries: false) == .refuse(.ownerless))
        let other = FolderClaim.Found.owned(database: "other", folder: "f")
        #expect(try Self.verdict(other, known: nil, entries: false) == .foreign(owner: "other"))
        // A kill between the two writes.
        let own = FolderClaim.Found.owned(database: "db", folder: "f")
        #expect(try Self.verdict(own, known: nil, entries: false) == .note("f"))
    }

    @Test(
        "a database that has a folder takes no other one",
        arguments: [
            (.nothing(isThere: false), .refuse(.absent)),
            (.nothing(isThere: true), .refuse(.empty)),
            (.ownerless, .refuse(.ownerless)),
            (.owned(database: "db", folder: "g"), .refuse(.another)),
            (.owned(database: "other", folder: "g"), .foreign(owner: "other")),
        ] as [(FolderClaim.Found, FolderClaim.Verdict)])
    func known(found: FolderClaim.Found, verdict: FolderClaim.Verdict) throws {
        for entries in [true, false] {
            #expect(try Self.verdict(found, known: "f", entries: entries, held: true) == verdict)
        }
        let adopted = try Self.verdict(found, known: "f", entries: true, adopting: true)
        let isNoted = found == .owned(database: "db", folder: "g")
        #expect(adopted == (isNoted ? .note("g") : .mark))
    }

    @Test("its own folder is opened, unless the folder of all results is not in it")
    func own() throws {
        let own = FolderClaim.Found.owned(database: "db", folder: "f")
        #expect(try Self.verdict(own, known: "f", entries: false) == .open)
        #expect(try Self.verdict(own, known: "f", entries: true, held: true) == .open)
        #expect(try Self.verdict(own, known: "f", entries: true) == .refuse(.emptied))
        #expect(try Self.verdict(own, known: "f", entries: true, adopting: true) == .open)
    }

    @Test("an older version's database and folder find each other when the results are there")
    func upgrade() throws {
        let old = FolderClaim.Found.owned(database: "db", folder: nil)
        for known in [nil, "f"] {
            #expect(try Self.verdict(old, known: known, entries: true, held: true) == .mark)
            #expect(try Self.verdict(old, known: known, entries: true) == .refuse(.emptied))
            #expect(try Self.verdict(old, known: known, entries: false) == .mark)
        }
        #expect(
            try Self.verdict(.nothing(isThere: false), known: nil, entries: true)
                == .refuse(.absent))
        #expect(
            try Self.verdict(.nothing(isThere: true), known: nil, entries: true) == .refuse(.empty))
    }
}
