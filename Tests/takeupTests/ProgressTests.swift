import TakeupJobs
import Testing

@testable import takeup

@Suite("Progress")
struct ProgressTests {
    private let progress = JobProgress(
        phase: "encode", fraction: 0.427, speed: 2.14, etaSeconds: 95)

    @Test(
        "one line that fits the terminal",
        arguments: [
            (80, "[############------------------]   42 %  encode   2.1x  ETA 1:35"),
            (46, "[####-------]   42 %  encode   2.1x  ETA 1:35"),
            (32, " 42 %  encode   2.1x  ETA 1:35"), (24, " 42 %  encode   2.1x"),
            (16, " 42 %  encode "), (6, " 42 %"), (3, " 4"), (1, ""), (0, ""),
        ])
    func bar(columns: Int, expected: String) {
        let line = ProgressLine(showsUnicode: false).bar(progress, columns: columns)
        #expect(line == expected)
        #expect(line.count <= max(columns - 1, 0))
    }

    @Test("unknown speed and time are left out, whatever they are")
    func unknown() {
        let odd = JobProgress(phase: "analyse", fraction: 0, speed: .infinity, etaSeconds: .nan)
        #expect(ProgressLine(showsUnicode: true).plain(odd) == "0 %, analyse")
        #expect(ProgressLine(showsUnicode: true).plain(progress) == "42 %, encode, 2.1×, ETA 1:35")
    }

    @Test("without a terminal a line comes every ten seconds at most")
    func plainLines() throws {
        let bench = try TestBench()
        let clock = Clock()
        var context = bench.context()
        context.now = { clock.now() }
        let printer = ProgressPrinter(context)
        for _ in 0..<45 {
            clock.advance(1)
            printer.show(progress)
        }
        #expect(bench.diagnostics.lines.count == 4)
        #expect(!bench.diagnostics.text.contains("\u{1B}"))
    }

    @Test("on a terminal the line is redrawn, then taken away for good")
    func redrawn() throws {
        let bench = try TestBench()
        var context = bench.context()
        context.terminal = TerminalFacts(diagnosticsIsTerminal: true, showsUnicode: false)
        context.columns = { 24 }
        let printer = ProgressPrinter(context)
        printer.show(progress)
        printer.close()
        printer.show(progress)
        #expect(bench.diagnostics.text == "\r 42 %  encode   2.1x\u{1B}[K\r\u{1B}[K")
    }

    @Test(
        "colours follow the option, then NO_COLOR and the terminal",
        arguments: [
            ("auto", true, ["TERM": "xterm"], true), ("auto", false, ["TERM": "xterm"], false),
            ("auto", true, ["TERM": "xterm", "NO_COLOR": "1"], false),
            ("auto", true, ["TERM": "dumb"], false), ("auto", true, [:], false),
            ("always", false, ["NO_COLOR": "1"], true), ("never", true, ["TERM": "xterm"], false),
        ])
    func colours(mode: String, isTerminal: Bool, environment: [String: String], isOn: Bool) {
        let palette = Palette(mode: mode, isTerminal: isTerminal, environment: environment)
        #expect(palette.isOn == isOn)
    }
}
