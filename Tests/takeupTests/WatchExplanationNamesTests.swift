import Foundation
@testable import TakeupIngest
import TestSupport
import Testing

@testable import takeup

@Suite("Explanation of files that have other names than they had")
struct WatchExplanationNamesTests {
    /// The answers by their questions.
    private func explain(_ bench: WatchProgramBench, _ path: String) throws -> [String: String] {
        let outcome = try bench.run(["watch", "--json", "--explain", path])
        #expect(outcome.exitCode == 0, "\(outcome.errorText)")
        let report = try #require(
            try JSONSerialization.jsonObject(with: outcome.standardOutput) as? [String: Any])
        let points = try #require(report["points"] as? [[String: Any]])
        let pairs = points.map { point in
            (point["question"] as? String ?? "", point["answer"] as? String ?? "")
        }
        return Dictionary(pairs) { "\($0), \($1)" }
    }

    private func clip(_ seconds: Int) throws -> Data { try Clip.base(seconds: seconds).bytes() }

    @Test("sources of one name are told apart where they were moved to")
    func usedTwice() throws {
        let bench = try WatchProgramBench(["s/a.mov": try clip(1)])
        #expect(try bench.watch(["--after", "move"]).exitCode == 0)
        try bench.put("s/a.mov", try clip(2))
        #expect(try bench.watch(["--after", "move"]).exitCode == 0)
        #expect(bench.files("in") == ["done/s/a-1.mov", "done/s/a.mov"])
        let output = WatchedPath.resolved(bench.file("out"))
        var jobs: Set<String> = []
        for (name, result) in [("a.mov", "a.mp4"), ("a-1.mov", "a-1.mp4")] {
            let points = try explain(bench, "in/done/s/\(name)")
            #expect(points["before"] == "s/a.mov, moved here once it was done")
            #expect(points["so far"] == "done" && points["output"] == "\(output)/s/\(result)")
            jobs.insert(points["job"] ?? "")
        }
        #expect(jobs.count == 2)
        // A copy, as another disk makes it, lies elsewhere on the disk.
        let moved = bench.file("in/done/s/a-1.mov")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: moved))
        try FileManager.default.removeItem(atPath: moved)
        try bench.put("done/s/a-1.mov", bytes)
        #expect(try explain(bench, "in/done/s/a-1.mov")["output"] == "\(output)/s/a-1.mp4")
        try bench.put("done/s/other.mov", Data("x".utf8))
        #expect(try explain(bench, "in/done/s/other.mov")["so far"] == "nothing became of it")
    }

    @Test("a file that was renamed is told with its new name")
    func renamed() throws {
        let bench = try WatchProgramBench(["a.mov": try clip(1)])
        #expect(try bench.watch().exitCode == 0)
        try FileManager.default.moveItem(
            atPath: bench.file("in/a.mov"), toPath: bench.file("in/b.mov"))
        #expect(try bench.watch().exitCode == 0)
        let output = WatchedPath.resolved(bench.file("out")) + "/a.mp4"
        let points = try explain(bench, "in/a.mov")
        #expect(points["file"] == "it was renamed to b.mov")
        #expect(points["so far"] == "done" && points["output"] == output)
        #expect(try explain(bench, "in/b.mov")["output"] == output)
        #expect(try explain(bench, "in/never.mov")["so far"] == "nothing became of it")
    }

    @Test(
        "a number behind a name is taken off",
        arguments: [
            ("a-1.mov", "a.mov"), ("s-2/a b-12.mov", "s-2/a b.mov"), ("a-1", "a"), ("a.mov", nil),
            ("-1.mov", nil), ("a-0.mov", nil), ("a-b.mov", nil), ("s-1/a.mov", nil),
        ] as [(String, String?)])
    func numbers(name: String, original: String?) {
        #expect(FileTrace.withoutNumber(name) == original)
    }
}
