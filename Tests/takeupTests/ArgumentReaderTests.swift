import TestSupport
import Testing

@testable import takeup

@Suite("Argument reader")
struct ArgumentReaderTests {
    private func read(_ words: [String]) throws(UsageError) -> Invocation {
        try ArgumentReader(words, table: CommandTable.root).read()
    }

    @Test(
        "reads values in every spelling",
        arguments: [
            ["export", "a", "--output", "b.mp4"], ["export", "a", "--output=b.mp4"],
            ["export", "a", "-o", "b.mp4"], ["export", "a", "-ob.mp4"],
            ["export", "a", "-o=b.mp4"], ["export", "-qo", "b.mp4", "a"],
            ["export", "-o", "b.mp4", "--", "a"], ["--quiet", "export", "a", "-o", "b.mp4"],
        ])
    func spellings(words: [String]) throws {
        let invocation = try read(words)
        #expect(invocation.path == ["export"])
        #expect(invocation.arguments == ["a"])
        #expect(invocation.options["output"] == ["b.mp4"])
    }

    @Test("takes everything behind two dashes as arguments, and a dash as a value's start")
    func dashes() throws {
        let invocation = try read(["export", "--start", "-5", "-o", "-x.mp4", "--", "--json", "-"])
        #expect(invocation.arguments == ["--json", "-"])
        #expect(invocation.options["start"] == ["-5"])
        #expect(invocation.options["output"] == ["-x.mp4"])
    }

    @Test("keeps repeated options in order and values with equals signs whole")
    func repeats() throws {
        let invocation = try read(["export", "a", "--metadata", "k=v=w", "--metadata=t="])
        #expect(invocation.options["metadata"] == ["k=v=w", "t="])
    }

    @Test("finds nested commands")
    func nested() throws {
        #expect(try read(["presets", "show", "low"]).path == ["presets", "show"])
    }

    @Test(
        "refuses what it does not know and says what was probably meant",
        arguments: [
            (["exprot"], "did you mean 'takeup export'?"),
            (["preset", "list"], "did you mean 'takeup presets'?"),
            (["presets", "lst"], "did you mean 'takeup presets list'?"),
            (["export", "a", "--overwrit"], "did you mean --overwrite?"),
            (["export", "a", "--meta", "x=y"], "did you mean --metadata?"),
            (["export", "a", "-x"], nil),
            (["export", "a", "--overwrite", "replcae"], "did you mean 'replace'?"),
            (["export", "a", "--copy", "sometimes"], "use one of: auto, never"),
            (["completion", "bsh"], "did you mean 'bash'?"),
            (["--preset", "low", "export"], "write it behind the command: takeup export --preset"),
            (["export", "a", "--start", "--json"], "write --start T"),
            (["export", "a", "-o"], "write --output OUT"),
            (["export", "a", "--start", "--", "5"], "write --start T"),
            (["export", "a", "--json=yes"], nil), (["export", "", "-o", "b.mp4"], nil),
            (["export", "a", "--start", "1", "--start=2"], nil), (["probe"], nil),
            (["probe", "a", "b"], nil), (["doctor", "a"], nil), (["frobnicate"], nil),
            (
                [],
                "one of: export, batch, watch, submit, worker, jobs, cache, fetch, probe, presets, verify, doctor, completion"
            ),
        ] as [([String], String?)])
    func refusals(words: [String], hint: String?) {
        let error = #expect(throws: UsageError.self) { try read(words) }
        #expect(error?.hint == hint)
        #expect(error?.message.isEmpty == false)
    }

    @Test("help and version win over what is missing", arguments: ["--help", "-h", "--version"])
    func helpWins(flag: String) throws {
        #expect(throws: Never.self) { try read(["probe", flag]) }
        #expect(throws: Never.self) { try read([flag]) }
    }

    @Test("ends for any words at all")
    func fuzz() {
        var random = SeededRandom(state: 42)
        let pieces = [
            "-", "--", "=", "export", "presets", "for", "--output", "--json", "-o", "é", "\u{0}",
            "\u{301}", "👩‍👩‍👧", "\n", " ", "\\", "a", "0", "--=", "--metadata=", "-qv",
        ]
        for _ in 0..<20_000 {
            let words = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    pieces[Int.random(in: 0..<pieces.count, using: &random)]
                }.joined()
            }
            _ = try? read(words)
        }
    }
}
