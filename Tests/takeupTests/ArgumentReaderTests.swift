import TestSupport
import Testing

@testable import takeup

private let emptyHint = "an unset shell variable in quotes is an empty argument"

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
            (["export", "a", "--json=yes"], nil), (["export", "", "-o", "b.mp4"], emptyHint),
            ([""], emptyHint), (["export", "a", "--start", ""], emptyHint),
            (["export", "a", "--start="], emptyHint),
            (["export", "a", "--start", "1", "--start=2"], "leave one of the two out"),
            (["--home", "x", "jobs", "list", "--home", "y"], "leave one of the two out"),
            (["jobs", "prune", "--all"], nil),
            (["clip.mov"], "a file is exported by: takeup export INPUT -o OUT"), (["probe"], nil),
            (["probe", "a", "b"], nil), (["doctor", "a"], nil), (["frobnicate"], nil),
            (
                [],
                "one of: export, batch, watch, serve, submit, worker, workers, jobs, cache, database, fetch, proxy-url, probe, presets, verify, doctor, completion"
            ),
        ] as [([String], String?)])
    func refusals(words: [String], hint: String?) {
        let error = #expect(throws: UsageError.self) { try read(words) }
        #expect(error?.hint == hint)
        #expect(error?.message.isEmpty == false)
    }

    @Test(
        "help is a word, too",
        arguments: [
            (["help"], []), (["help", "export"], ["export"]),
            (["help", "jobs", "list"], ["jobs", "list"]),
            (["jobs", "help", "list"], ["jobs", "list"]),
        ] as [([String], [String])])
    func help(words: [String], path: [String]) throws {
        let invocation = try read(words)
        #expect(invocation.has("help") && invocation.path == path)
        // A file of that name is an argument.
        #expect(try read(["export", "help", "-o", "a.mp4"]).arguments == ["help"])
    }

    @Test(
        "every command accepts every common option before its name and after it",
        arguments: CompletionRow.all(CommandTable.root).filter { $0.command.subcommands.isEmpty }
            .map(\.path))
    func commonOptions(path: [String]) throws {
        let command = try #require(
            CompletionRow.all(CommandTable.root).first { $0.path == path }?.command)
        let least = command.argument?.count.lowerBound ?? 0
        let word = command.argument?.allowedValues.first ?? "a"
        let arguments = Array(repeating: word, count: least)
        for option in CommandTable.acceptedEverywhere where option.name != "all" {
            let words =
                option.takesValue
                ? ["--\(option.name)", option.allowedValues.first ?? "10.0.0.0/8"]
                : ["--\(option.name)"]
            for line in [words + path + arguments, path + words + arguments] {
                let invocation = try read(line)
                #expect(invocation.path == path)
                #expect(invocation.has(option.name))
            }
        }
    }

    @Test("help and version win over what is missing", arguments: ["--help", "-h", "--version"])
    func helpWins(flag: String) throws {
        #expect(throws: Never.self) { try read(["probe", flag]) }
        #expect(throws: Never.self) { try read([flag]) }
    }

    @Test(
        "habits of other programs get Takeup's own way",
        arguments: [
            (["-i", "a.mov"], "takeup export INPUT -o OUT"), (["-y"], "--overwrite replace"),
            (["-n"], "keeps an existing output"), (["-ss", "5"], "--start T"),
            (["-t", "5"], "--duration T"),
            (["-to", "5"], "--end T"), (["-vf", "scale=1:1"], "--preset 1280x720"),
            (["-crf", "20"], "video.crf"), (["--crf=20"], "video.crf"),
            (["-q:v", "3"], "video.crf"),
            (["--quality", "20"], "video.crf"), (["-c:v", "libx264"], "--preset passthrough"),
            (["-c", "copy"], "--preset passthrough"), (["-b:v", "1M"], "--size-limit 25MB"),
            (["-r", "25"], "video.frameRate"), (["-s", "1x1"], "--preset 1280x720"),
            (["-an"], "audio.tracks"), (["-vn"], "-o OUT.m4a"),
            (["-preset", "fast"], "write --preset, with two dashes"),
            (["-output", "x.mp4"], "write --output, with two dashes"),
            (["-f", "mp4"], ".m4a"), (["-Z", "Fast 720p30"], "--preset NAME"),
            (["-movflags", "faststart"], "fastStart"), (["-threads", "2"], "--workers N"),
            (["-pix_fmt", "yuv420p"], "video.bitDepth"), (["-profile:v", "high"], "video.profile"),
        ] as [([String], String)])
    func habits(words: [String], way: String) throws {
        let error = #expect(throws: UsageError.self) { try read(["export", "a.mov"] + words) }
        let word = words[0].prefix { $0 != "=" }
        #expect(error?.message == "there is no option \(word)")
        #expect(try #require(error?.hint).contains(way))
    }

    @Test("a habit's word is a value where a value is expected, and a file behind two dashes")
    func habitsAsValues() throws {
        let invocation = try read(["export", "-o", "-vf", "--", "-preset"])
        #expect(invocation.options["output"] == ["-vf"])
        #expect(invocation.arguments == ["-preset"])
    }

    @Test("a name that is not UTF-8 is said to be none")
    func encoding() throws {
        #expect(try ArgumentWords.decode([Array("é".utf8)]) == ["é"])
        let error = #expect(throws: UsageError.self) {
            try ArgumentWords.decode([Array("probe".utf8), [0x63, 0xE9, 0x2E]])
        }
        #expect(error?.message == "the name is not UTF-8: c\\xe9.")
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
