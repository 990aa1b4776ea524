import TakeupIntake
import TakeupJobs
import TakeupModel
import TakeupService
import TakeupWorker
import Testing

@testable import takeup

@Suite("Batch display")
struct BatchDisplayTests {
    private func spec(_ id: String) -> JobSpec {
        JobSpec(
            id: JobID(rawValue: id),
            ExportRequest(
                Composition(joining: ["/in/\(id).mov"]),
                preset: ExportPreset.sound(named: "medium")))
    }

    private func record(_ id: String, _ state: JobState) -> JobRecord {
        var record = FakeQueue.record(id, state)
        record.lastResult = state == .failed ? nil : QueueBench.result(record.spec)
        return record
    }

    /// Ten jobs of which three have ended and two run.
    private func board() throws -> BatchProgress {
        var board = BatchProgress(total: 10, beganAt: 100)
        for (id, state) in [("a", JobState.succeeded), ("b", .cached)] {
            board.end(try #require(JobEnding(record(id, state))), sourceBytes: 2_400_000)
        }
        board.end(JobEnding(spec("bad\u{1B}[2J"), failed: QueueBench.fault), sourceBytes: 0)
        board.lanes.start(JobID(rawValue: "story-42"), lane: 1, title: "story-42 (clip.mov)")
        board.lanes.start(JobID(rawValue: "映画\u{7}"), lane: 0, title: nil)
        let progress = JobProgress(phase: "encode", fraction: 0.5, speed: 3.14, etaSeconds: 12)
        board.lanes.advance(JobID(rawValue: "story-42"), progress)
        return board
    }

    @Test("a quiet batch says once why nothing is started")
    func quietPause() async throws {
        let bench = try TestBench()
        let context = bench.context()
        let invocation = try ArgumentReader(["batch", "x"], table: CommandTable.root).read()
        let settings = try Settings(
            options: CommandTable.commonOptions, flags: ["quiet": ["true"]], environment: [:],
            configuration: nil)
        let style = OutputStyle(
            CommandInput(path: [], arguments: [], settings: settings, invocation: invocation))
        try #require(style.isQuiet)
        let desk = BatchMonitor(total: 1, LiveLines(context, isQuiet: true), style, context)
        for _ in 0..<3 {
            _ = await desk.take(.paused(reason: "no space left on the disk at /x"))
            _ = await desk.take(.resumed)
        }
        #expect(
            bench.diagnostics.text
                == "takeup: warning: nothing is started for now: no space left on the disk at /x\n")
    }

    @Test("a bar over all jobs and a line a lane")
    func wide() throws {
        let lines = BatchLines(showsUnicode: false)
            .lines(try board(), now: 110, columns: 80, rows: 24)
        #expect(
            lines == [
                "[##########-------------------]   35 %  3/10 jobs  ETA 0:44  1 failed  1 cached",
                "    0 %  begin                      映画\\u{7}",
                "   50 %  encode   3.1x   ETA 0:12   story-42 (clip.mov)",
            ])
    }

    @Test(
        "no line is wider than the terminal, and no more lines than it has rows", arguments: 0...90)
    func fits(columns: Int) throws {
        for rows in [1, 3, 4, 24] {
            let lines = BatchLines(showsUnicode: true)
                .lines(try board(), now: 110, columns: columns, rows: rows)
            #expect(lines.count <= max(rows - 1, 2))
            for line in lines {
                #expect(line.displayWidth <= max(columns - 1, 0))
                #expect(!line.contains("\u{1B}"))
            }
        }
    }

    @Test("a log gets the same in one line")
    func plain() throws {
        let text = BatchLines(showsUnicode: true).plain(try board(), now: 110)
        #expect(text == "35 %, 3/10 jobs, ETA 0:44, 1 failed, 1 cached")
    }

    @Test("what was cached or failed does not make the time left look short")
    func eta() throws {
        var board = BatchProgress(total: 100, beganAt: 0)
        for index in 0..<90 {
            board.end(try #require(JobEnding(record("c\(index)", .cached))), sourceBytes: 0)
        }
        board.end(JobEnding(spec("bad"), failed: QueueBench.fault), sourceBytes: 0)
        #expect(board.eta(now: 10) == nil)
        board.end(try #require(JobEnding(record("s", .succeeded))), sourceBytes: 0)
        #expect(board.eta(now: 10) == 80)
        #expect(BatchProgress(total: 0, beganAt: 0).fraction == 1)
    }

    @Test("the summary counts, names what failed and why, and escapes it")
    func summary() throws {
        let summary = BatchSummary(board: try board(), seconds: 5)
        #expect(
            summary.lines == [
                "FAILED                           REASON",
                "bad\\u{1b}[2J (bad\\u{1b}[2J.mov)  a.mov is cut short (sourceTruncated)",
                "                                 copy it again",
                "",
                "succeeded  1", "cached     1", "failed     1", "left       7",
                "size       2.40 MB (50 % of the sources)", "took       5.0 s (2.0x)",
            ])
        #expect(
            "\(summary.json)"
                == #"{"type":"summary","succeeded":1,"cached":1,"failed":1,"cancelled":0,"seconds":5}"#
        )
    }

    @Test("drawn lines move down for text that stays, and go when closed")
    func live() throws {
        let bench = try TestBench()
        var context = bench.context()
        context.terminal.diagnosticsIsTerminal = true
        let lines = LiveLines(context, isQuiet: false)
        lines.draw(["one", "two"])
        lines.draw(["one", "two"])
        lines.write("said\n")
        lines.draw(["three"])
        lines.close()
        lines.draw(["four"])
        #expect(
            bench.diagnostics.text
                == "one\u{1B}[K\ntwo\u{1B}[K" + "\r\u{1B}[1A\u{1B}[Jsaid\none\ntwo"
                + "\r\u{1B}[1Athree\u{1B}[K\u{1B}[J" + "\r\u{1B}[J")
    }

    @Test("a job goes by its source, and by the id that its user gave")
    func titles() throws {
        var job = SingleJob(sources: ["a.mov"], folder: "/in/映画")
        #expect(try job.spec(BatchOptions()).title == "a.mov")
        job.sources = ["a.mov", "b.mov", "c.mov"]
        #expect(try job.spec(BatchOptions()).title == "a.mov + 2 more")
        job.id = "story-42"
        #expect(try job.spec(BatchOptions()).title == "story-42 (a.mov + 2 more)")
        job.id = "watch-4ec64a02a34743811c6ed5a3"
        #expect(try job.spec(BatchOptions()).title == "a.mov + 2 more")
        job.id = "watch-tower"
        #expect(try job.spec(BatchOptions()).title == "watch-tower (a.mov + 2 more)")
    }

    @Test("a job that waits a moment for its twin is not told of; one that failed is")
    func delays() async throws {
        let bench = try TestBench()
        var context = bench.context()
        context.wallClock = { 1_000_000 }
        let invocation = try ArgumentReader(["batch", "x"], table: CommandTable.root).read()
        let settings = try Settings(
            options: CommandTable.commonOptions, flags: [:], environment: [:], configuration: nil)
        let style = OutputStyle(
            CommandInput(path: [], arguments: [], settings: settings, invocation: invocation))
        let desk = BatchMonitor(total: 1, LiveLines(context, isQuiet: false), style, context)
        await desk.accept([JobSubmission(spec: spec("a"), answer: .accepted)])
        var waiting = record("a", .scheduled)
        waiting.runAt = 1_000_000.5
        waiting.note = "waits for job 'b', which does the same work"
        _ = await desk.take(.ended(waiting))
        #expect(bench.diagnostics.text == "takeup: 1 job queued\n")
        (waiting.note, waiting.fault) = (nil, QueueBench.fault)
        _ = await desk.take(.ended(waiting))
        #expect(
            bench.diagnostics.text.hasSuffix("a (a.mov): tries again now: a.mov is cut short\n"))
    }

    @Test("only what the queue has accepted is told as queued")
    func acceptance() async throws {
        let invocation = try ArgumentReader(["batch", "x"], table: CommandTable.root).read()
        let settings = try Settings(
            options: CommandTable.commonOptions, flags: [:], environment: [:], configuration: nil)
        let style = OutputStyle(
            CommandInput(path: [], arguments: [], settings: settings, invocation: invocation))
        func accept(_ answers: [Acceptance]) async throws -> String {
            let bench = try TestBench()
            let context = bench.context()
            let desk = BatchMonitor(
                total: answers.count, LiveLines(context, isQuiet: false), style, context)
            await desk.accept(
                answers.enumerated().map {
                    JobSubmission(spec: spec("job-\($0.offset)"), answer: $0.element)
                })
            return bench.diagnostics.lines.first { $0.contains("queued") || $0.contains("known") }
                ?? ""
        }
        let refused = Acceptance.refused(QueueBench.fault)
        #expect(try await accept([refused, refused]) == "takeup: 0 jobs queued, 2 refused")
        #expect(try await accept([.accepted, refused]) == "takeup: 1 job queued, 1 refused")
        #expect(
            try await accept([.accepted, .duplicate(.queued)])
                == "takeup: 2 jobs, 1 of them known already")
    }

    @Test("what answers again is what did not answer")
    func outages() throws {
        let bench = try TestBench()
        let talk = Console(bench.context())
        for (code, word) in [("serverUnreachable", "server"), ("databaseUnreachable", "database")] {
            var outage = DatabaseOutage()
            let failure = Failure(
                code: code, stage: "request", message: "no answer", hint: "",
                ending: Failure.Ending(.unavailable, .retry))
            try outage.begin(failure, talk)
            outage.end(talk)
            #expect(bench.diagnostics.text.hasSuffix("takeup: the \(word) answers again\n"))
        }
    }

    @Test("wide characters take two columns, marks none")
    func widths() {
        #expect("映画".displayWidth == 4)
        #expect("e\u{301}".displayWidth == 1)
        #expect("🎬!".displayWidth == 3)
        #expect("映画".fitted(to: 3) == "映")
        #expect("abc".fitted(to: 0).isEmpty)
    }
}
