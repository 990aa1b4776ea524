import TakeupJobs
import TakeupModel
import Testing

@testable import TakeupIntake

@Suite("Hostile lists")
struct HostileListTests {
    @Test(
        "what is no JSON is told with line and column",
        arguments: [
            ("", "line 1, column 1: it ends"), ("nul", "a list in [ ] is expected"),
            ("[", "it ends in the middle"), ("[{]", "a text in \" \" is expected"),
            ("[\n{\"a\" 1}]", "line 2, column 6: a colon is expected"),
            ("[{\"source\": \"a\"} {}]", "line 1, column 18: a comma is missing before this"),
            ("[{\"source\": \"a\",}]", "nothing follows the comma"),
            ("[{\"source\": \"a\"} 5]", "line 1, column 18: a comma or ] is expected"),
            ("[{\"source\": \"a\", b}]", "a text in \" \" is expected"),
            ("[{\"source\": 'a'}]", "a value is expected"),
            ("[{\"source\": \"a\", \"source\": \"b\"}]", "the key 'source' comes twice"),
            (
                "[{\"source\": \"a\", \"metadata\": {\"t\": \"1\", \"t\": \"2\"}}]",
                "'t' comes twice"
            ),
            ("[{\"source\": \"a\u{0}\"}]", "a text holds a control character"),
            ("[{\"source\": \"a\nb\"}]", "a text holds a control character"),
            ("\u{0}", "is expected here"), ("[{\"source\": \"\\x\"}]", "there is no such escape"),
            ("[{\"source\": \"\\ud800\"}]", "half of a surrogate pair"),
            ("[{\"source\": \"\\udc00\\ud800\"}]", "half of a surrogate pair"),
            ("[{\"source\": \"\\ud800\\u0041\"}]", "half of a surrogate pair"),
            ("[{\"source\": \"\\u12\"}]", "four hexadecimal digits"),
            ("[{\"priority\": 01}]", "no number that JSON allows"),
            ("[{\"priority\": 1.}]", "a digit is expected"),
            ("[{\"priority\": -}]", "a value is expected"),
            ("[{\"priority\": NaN}]", "a value is expected"),
            ("[] []", "something follows the list's end"), ("{}", "the list has no jobs"),
            ("{\"jobs\": {}}", "a list in [ ] is expected"),
            ("{\"jbos\": [], \"jobs\": []}", "a list has no 'jbos'; did you mean 'jobs'?"),
        ])
    func syntax(text: String, complaint: String) {
        let faults = Lists.faults(text)
        #expect(faults.contains { $0.contains(complaint) }, "\(faults)")
    }

    @Test("nesting, numbers, jobs and lists have an end")
    func bounds() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(Lists.faults("[\(deep)").first?.contains("nested too deeply") == true)
        let object = String(repeating: "{\"a\":", count: 100_000)
        #expect(Lists.faults("[\(object)").first?.contains("nested too deeply") == true)
        let digits = String(repeating: "9", count: 1000)
        #expect(Lists.faults("[{\"priority\": \(digits)}]").first?.contains("no number") == true)
        let long = String(repeating: "x", count: BatchList.longestJob)
        for format in [ListFormat.json, .jsonLines] {
            let text = format == .json ? "[{\"source\": \"\(long)\"}]" : "{\"source\": \"\(long)\"}"
            #expect(Lists.faults(text, as: format).first?.contains("longer than 1000000") == true)
        }
        #expect(Lists.faults("source\n\(long)", as: .csv).first?.contains("longer than") == true)
        #expect(Lists.faults("source\n\"\(long)x", as: .csv).first?.contains("no end") == true)
    }

    @Test("a list has so many jobs and no more, and tells so many faults and no more")
    func counts() throws {
        let builder = SpecBuilder(BatchOptions(), folder: "/lists")
        let full = Array("source\na.mov\nb.mov\n".utf8)
        let list = try BatchList(
            parsing: full, as: .csv, name: "/lists/l", by: ListReader(builder, mostJobs: 2))
        #expect(list.jobs.count == 2)
        let error = #expect(throws: BatchListError.self) {
            try BatchList(
                parsing: full + Array("c.mov\n".utf8), as: .csv, name: "/lists/l",
                by: ListReader(builder, mostJobs: 2))
        }
        let fault = BatchFault(line: 4, reason: "the list has more than 2 jobs", hint: "split it")
        #expect(error == .invalid("/lists/l", faults: [fault], more: 0))
        let same = "source\n" + String(repeating: "a\n", count: 150)
        #expect(Lists.faults(same, as: .csv).count == FaultList.most)
    }

    @Test(
        "a list that is not UTF-8 is refused at its line",
        arguments: ListFormat.allCases.filter { $0 != .nullPaths })
    func encoding(format: ListFormat) {
        let bytes = Array("[\n{\"source\": \"".utf8) + [0xFF, 0xFE] + Array("\"}]".utf8)
        #expect(
            Lists.faults(bytes, as: format)
                == ["line 2: the list is not encoded in UTF-8; save it as UTF-8"])
    }

    @Test("many jobs from one folder each get their name")
    func many() throws {
        let lines = (0..<5000).map { "{\"source\":\"\($0)/clip.mov\"}\n" }
        var options = BatchOptions()
        options.outputFolder = "/out"
        let jobs = try Lists.read(lines.joined(), as: .jsonLines, options: options)
        #expect(Set(jobs.map(\.request.output)).count == 5000)
        #expect(jobs.last?.request.output == "/out/clip.mov-5000.mp4")
    }
}
