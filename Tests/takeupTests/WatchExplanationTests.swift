import Foundation
@testable import TakeupIngest
import TakeupModel
import TakeupWatch
import Testing

@testable import takeup

@Suite("Explanation of a watched file")
struct WatchExplanationTests {
    /// A folder to watch, and a clock that is ahead of its files.
    private struct Bench {
        let own: TestBench
        var secondsAhead = 60.0

        init(_ names: String...) throws {
            own = try TestBench()
            for name in ["in", "home"] { try make(name) }
            for name in names { try own.write("x", to: "in/\(name)") }
        }

        var home: String { "\(own.folder)/home" }
        var watched: String { WatchedPath.resolved("\(own.folder)/in") }

        func make(_ folder: String) throws {
            try FileManager.default.createDirectory(
                atPath: "\(own.folder)/\(folder)", withIntermediateDirectories: true)
        }

        func ledger() throws -> WatchLedger {
            try WatchLedger(path: "\(home)/takeup.sqlite") { 1_000_000 }
        }

        /// The answers by their questions; those that keep the file begin with a mark.
        func explain(_ words: String) async throws -> [String: String] {
            let environment = ["TAKEUP_HOME": home, "TAKEUP_CACHE": "\(own.folder)/cache"]
            var context = own.context(environment: environment)
            context.wallClock = { [secondsAhead] in Date().timeIntervalSince1970 + secondsAhead }
            let list = "watch --json \(words)".split(separator: " ").map(String.init)
            #expect(await Program.run(list, in: context) == .success, "\(own.diagnostics.text)")
            let decoded = try JSONSerialization.jsonObject(with: Data(own.output.text.utf8))
            let report = try #require(decoded as? [String: Any])
            let points = try #require(report["points"] as? [[String: Any]])
            let pairs = points.map { point in
                let mark = point["obstacle"] as? Bool == true ? "! " : ""
                return (
                    point["question"] as? String ?? "", mark + (point["answer"] as? String ?? "")
                )
            }
            return Dictionary(pairs) { "\($0), \($1)" }
        }
    }

    @Test("what lies where sources were moved to is not called taken, whatever settings say now")
    func aside() async throws {
        let bench = try Bench()
        try bench.make("in/old")
        try bench.own.write("x", to: "in/old/a.mov")
        try bench.ledger().noteAside("\(bench.watched)/old", in: bench.watched)
        let points = try await bench.explain("in --explain in/old/a.mov")
        #expect(points["name"] == "! old: what was moved there")
    }

    @Test("a file that stands still and has its marker waits for nothing")
    func ready() async throws {
        let bench = try Bench("a.mov", "a.mov.done", "a.srt")
        let points = try await bench.explain("in --marker .done --explain in/a.mov")
        #expect(points["stands still"] == "for the 10 seconds that it has to at least")
        #expect(points["marker"] == "a.mov.done is there" && points["waits for"] == nil)
        #expect(points["watched folder"] == nil && points["output folder"] == nil)
        #expect(!points.values.contains { $0.hasPrefix("! ") })
    }

    @Test("says what a file waits for, and its side-cars")
    func waits() async throws {
        var bench = try Bench("a.mov", "a.wav")
        bench.secondsAhead = 0
        let words = "in --stable 1h --marker .done --explain in/a.mov"
        let points = try await bench.explain(words)
        #expect(points["stands still"]?.hasPrefix("! not for 3") == true)
        #expect(points["waits for"]?.hasPrefix("! a.wav, which does not stand still") == true)
        #expect(points["marker"] == "! a.mov.done is missing")
    }

    @Test("a file that is known as it is waits for nothing")
    func known() async throws {
        var bench = try Bench("a.mov")
        bench.secondsAhead = 0
        let mark = try #require(try FileMark.of("a.mov", below: bench.watched))
        var file = WatchedFile(
            folder: bench.watched, path: "a.mov", identity: mark.identity, fingerprint: "c",
            work: "w")
        (file.state, file.reason) = (.skipped, "no")
        try bench.ledger().record(file)
        let points = try await bench.explain("in --marker .done --explain in/a.mov")
        #expect(points["stands still"] == nil && points["marker"] == nil)
        #expect(points["so far"] == "skipped: no")
    }

    @Test("says that the disk of the outputs is missing, and makes nothing there")
    func output() async throws {
        let bench = try Bench("a.mov")
        let output = WatchedPath.resolved("\(bench.own.folder)/out")
        // As if the folder had been a disk's topmost one.
        let memory = RootMemory(device: -7, inode: 2, levelsBelowMount: 0)
        try bench.ledger().remember(output: memory, of: output)
        let points = try await bench.explain("in -o out --explain in/a.mov")
        #expect(points["output folder"]?.hasPrefix("! \(output) cannot be used now: ") == true)
        #expect(access(output, F_OK) != 0)
        #expect(try bench.ledger().outputMemory(of: output) == memory)
    }

    @Test("an output folder that would be made is no obstacle")
    func outputToBeMade() async throws {
        let bench = try Bench("a.mov")
        let points = try await bench.explain("in -o out --explain in/a.mov")
        #expect(points["output folder"] == nil)
        #expect(access("\(bench.own.folder)/out", F_OK) != 0)
    }

    @Test("says that the watched folder is not there, or not what it was")
    func absent() async throws {
        let bench = try Bench("a.mov")
        try bench.own.write(
            #"{"watch": {"folders": [{"path": "none"}, {"path": "in", "anchor": "x"}]}}"#,
            to: "c.json")
        let none = try await bench.explain("--config c.json --explain none/a.mov")
        #expect(none["watched folder"]?.contains("none is not there") == true)
        #expect(none["file"] == nil && none["name"] == nil)
        let other = try Bench("a.mov")
        let anchored = try await other.explain("in --anchor x --explain in/a.mov")
        #expect(anchored["watched folder"]?.hasSuffix("its anchor x is not there") == true)
    }
}
