import Testing

@testable import TakeupWatch

@Suite("Recognition")
struct RecognitionTests {
    private func twin(_ path: String, work: String = "w") -> WatchedFile {
        var file = LedgerBench.file(path, job: "j-\(path)")
        (file.state, file.work) = (.done, work)
        return file
    }

    private func recognize(
        _ path: String, _ twins: [WatchedFile], there: Set<String> = [],
        on change: Recognition.WorkChange = .export,
        as inode: Int64 = 1, isLinked: Bool = false
    ) -> Recognition {
        var file = LedgerBench.file(path, inode)
        file.work = "w"
        return Recognition(file, hasOtherNames: isLinked, among: twins, on: change) {
            there.contains($0)
        }
    }

    @Test("content that nobody knows is new")
    func new() {
        #expect(recognize("a.mov", []) == .new)
    }

    @Test("a touch, a change of rights and a copy back change nothing")
    func same() {
        let twin = twin("a.mov")
        #expect(recognize("a.mov", [twin], there: ["a.mov"]) == .known(twin))
        #expect(recognize("a.mov", [twin]) == .known(twin))
    }

    @Test("a rename takes along what became of the file, the latest of several that are gone")
    func renamed() {
        let (old, older) = (twin("old.mov"), twin("older.mov"))
        #expect(recognize("a.mov", [old, older]) == .moved(old))
        #expect(recognize("a.mov", [old, older], there: ["old.mov"]) == .moved(older))
    }

    @Test("a twin that cannot be looked at is not taken for moved")
    func untold() {
        var file = LedgerBench.file("a.mov", 1)
        file.work = "w"
        #expect(throws: WatchError.failed(path: "old.mov", errno: 5)) {
            try Recognition(file, hasOtherNames: false, among: [twin("old.mov")], on: .export) {
                (path) throws(WatchError) in throw .failed(path: path, errno: 5)
            }
        }
    }

    @Test("a copy beside its original is new")
    func copied() {
        #expect(recognize("b.mov", [twin("a.mov")], there: ["a.mov", "b.mov"]) == .new)
    }

    @Test("what was moved away comes back as the file that it was; another like it is new")
    func acted() {
        var twin = twin("a.mov")
        for kind in SourceAction.Kind.allCases {
            twin.acted = kind
            #expect(recognize("b.mov", [twin]) == (kind == .delete ? .new : .moved(twin)))
            #expect(recognize("b.mov", [twin], as: 2) == .new)
            #expect(recognize("b.mov", [twin], isLinked: true) == .new)
            #expect(recognize("a.mov", [twin], as: 2) == .known(twin))
        }
        twin.acted = nil
        #expect(recognize("b.mov", [twin], as: 2) == .moved(twin))
    }

    @Test("a changed preset makes files new, or does not, by policy", arguments: [true, false])
    func changedWork(isThere: Bool) {
        let twin = twin("a.mov", work: "before")
        let there: Set<String> = isThere ? ["a.mov"] : []
        #expect(recognize("a.mov", [twin], there: there) == .new)
        #expect(recognize("a.mov", [twin], there: there, on: .ignore) == .known(twin))
        #expect(recognize("b.mov", [twin], there: there) == .new)
        #expect(
            recognize("b.mov", [twin], there: there, on: .ignore) == (isThere ? .new : .moved(twin))
        )
    }
}
