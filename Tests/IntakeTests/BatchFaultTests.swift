import Testing

@testable import TakeupIntake

@Suite("Batch faults")
struct BatchFaultTests {
    @Test(
        "a field at fault is named with its line",
        arguments: [
            (
                #"{"source": "a.mov", "presett": "low"}"#,
                "there is no field 'presett'; did you mean"
            ),
            (#"{"preset": "low"}"#, "source: is missing"),
            (#"{"source": ""}"#, "source: is empty"), (#"{"source": 5}"#, "source: needs a path"),
            (#"{"source": []}"#, "source: needs 1 to 10000 paths"),
            (#"{"source": ["a.mov", null]}"#, "source: needs a path, but holds null"),
            (#"{"source": "a\u0000.mov"}"#, "source: holds a zero byte"),
            (#"{"source": "ftp://x/a.mov"}"#, "source: is an address that cannot be fetched"),
            (#"{"source": "https://u:p@x/a.mov"}"#, "it holds a user name or a password"),
            (#"{"source": "https://x/a.otio?b"}"#, "a timeline is not read from an address"),
            (#"{"source": {"tracks": [{"segments": ["a"]}]}}"#, "version: is missing"),
            (#"{"source": "a.OTIO"}"#, "there is no timeline /lists/a.OTIO"),
            (#"{"source": "-"}"#, "standard input"),
            (#"{"source": "a.mov", "preset": "medum"}"#, "did you mean 'medium'"),
            (#"{"source": "a.mov", "preset": 720}"#, "preset: needs a text, but holds 720"),
            (
                #"{"source": "a.mov", "preset": "none.json"}"#,
                "/lists/none.json: there is no such file"
            ),
            (#"{"source": "a.mov", "start": -1}"#, "start: needs a time"),
            (#"{"source": "a.mov", "start": "1:99"}"#, "start: needs a time"),
            (#"{"source": "a.mov", "start": 1e309}"#, "start: needs a time"),
            (#"{"source": "a.mov", "start": 5, "end": 5}"#, "end: has to be after start"),
            (#"{"source": "a.mov", "duration": 0}"#, "duration: has to be more than 0"),
            (#"{"source": "a.mov", "end": 5, "duration": 1}"#, "duration: cannot stand beside end"),
            (#"{"source": "a.mov", "output": "a.avi"}"#, "output: does not tell"),
            (#"{"source": "a.mov", "output": "out"}"#, "output: does not tell"),
            (#"{"source": "a.mp4", "output": "x/../a.mp4"}"#, "output: is a source of this list"),
            (#"{"source": "a.mov", "expires": "soon"}"#, "expires: needs a time"),
            (#"{"source": "a.mov", "expires": "99999999d"}"#, "expires: needs a time"),
            (#"{"source": "a.mov", "expires": 0}"#, "expires: needs a time"),
            (
                #"{"source": "a.mov", "priority": 1001}"#,
                "priority: needs a whole number from -1000"
            ),
            (#"{"source": "a.mov", "priority": 1.5}"#, "priority: needs a whole number"),
            (#"{"source": "a.mov", "priority": 1e309}"#, "priority: needs a whole number"),
            (#"{"source": "a.mov", "priority": "5"}"#, "priority: needs a whole number"),
            (#"{"source": "a.mov", "retries": 99999999999999999999}"#, "retries: needs a whole"),
            (#"{"source": "a.mov", "verify": "fast"}"#, "it may be quick, full, none"),
            (#"{"source": "a.mov", "overwrite": "relpace"}"#, "did you mean 'replace'?"),
            (#"{"source": "a.mov", "stripMetadata": "yes"}"#, "stripMetadata: needs true or false"),
            (#"{"source": "a.mov", "sizeLimit": "huge"}"#, "sizeLimit: needs a size"),
            (
                #"{"source": "a.mov", "sizeLimit": 1000000000000001}"#,
                "sizeLimit: needs a size of at most 1000TB"
            ),
            (#"{"source": "a.mov", "metadata": {"title": true}}"#, "metadata: needs a text for"),
            (#"{"source": "a.mov", "metadata": {"titel": "x"}}"#, "did you mean 'title'?"),
            (#"{"source": "a.mov", "metadata": {"track": "one"}}"#, "needs a number such as"),
            (#"{"source": "a.mov", "metadata": []}"#, "metadata: needs an object"),
            (#"{"source": "a.mov", "id": "a/b"}"#, "id: cannot be 'a/b'"),
            (#"{"source": "a.mov", "id": ".."}"#, "id: cannot be '..'"),
            (#"{"source": "a.mov", "id": "a\nb"}"#, "id: cannot be"),
            (#""a.mov""#, "a job is an object in { }, but here stands 'a.mov'"),
        ])
    func fields(job: String, complaint: String) throws {
        let faults = Lists.faults("[\n{\"source\": \"ok.mov\"},\n\(job)]")
        #expect(faults.count == 1, "\(faults)")
        let fault = try #require(faults.first)
        #expect(fault.hasPrefix("line 3"), "\(fault)")
        #expect(fault.contains(complaint), "\(fault)")
    }

    @Test("every fault of a list is told, in the order of its lines")
    func all() {
        let text = """
            [{"source": "a.mov",
              "priority": "high", "verify": "no"},
             {"sorce": "b.mov"},
             {"source": "c.mov", "id": "x"}, {"source": "d.mov", "id": "x"}]
            """
        let faults = Lists.faults(text)
        #expect(
            faults.map { $0.prefix(7) } == ["line 2,", "line 2,", "line 3:", "line 3,", "line 4,"])
        #expect(faults.last?.contains("'x' is also the id of the one on line 4") == true)
    }

    @Test(
        "a fault hides none behind it",
        arguments: [
            (
                ListFormat.json,
                """
                [{"preset": "medum", "verify": "no", "start": -1, "id": "x"},
                 {"source": "a.mov", "id": "x", "source": "b.mov"}
                 {"source": "c.mov", "output": "x.mp4", "copy": "no",},
                 {"source": "d.mov", "output": "x.mp4"},
                 {"source": 'e.mov'}]
                """,
                [
                    "line 1, preset", "line 1, source", "line 1, start", "line 1, verify",
                    "line 2, id", "line 2, column 33: the key 'source' comes twice",
                    "line 3, column 2: a comma is missing", "line 3, copy",
                    "line 3, column 54: nothing follows the comma", "line 4, output",
                    "line 5, column 13: a value is expected",
                ]
            ),
            (
                .json, #"{"jobs": [{"source": 1}, {"source": x}], "defaults": {}}"#,
                ["line 1, source", "line 1, column 37: a value is expected"]
            ),
            (
                .jsonLines,
                """
                {"source": 'a.mov'}
                {"sorce": "b.mov"} 5
                {"source": "c.mov", "verify": "no"}
                """,
                [
                    "line 1, column 12", "line 2: there is no field", "line 2, source",
                    "line 2, column 20: something follows", "line 3, verify",
                ]
            ),
            (
                .csv, "source,verify\na\"b,quick\n\"a\"b,no\nc.mov,no\n\"d.mov,no",
                ["line 2, column 1", "line 3, column 1", "line 4, column 2", "line 5, column 1"]
            ),
        ])
    func behind(format: ListFormat, text: String, complaints: [String]) {
        let faults = Lists.faults(text, as: format)
        for complaint in complaints {
            #expect(faults.contains { $0.hasPrefix(complaint) }, "\(complaint): \(faults)")
        }
        #expect(faults.count == complaints.count, "\(faults)")
    }

    @Test("jobs without a source are faults where outputs are named for the jobs, too")
    func unnamed() {
        var options = BatchOptions()
        options.outputFolder = "/out"
        let faults = Lists.faults("source,preset\n,medium\n,medium", as: .csv, options: options)
        #expect(faults.count == 2, "\(faults)")
        #expect(faults.allSatisfy { $0.contains("source") }, "\(faults)")
    }

    @Test("two jobs with one output, or doing the same, are refused; unique names are not")
    func collisions() {
        let two =
            #"[{"source": "a.mov", "output": "x.mp4"}, {"source": "b.mov", "output": "./x.mp4"}]"#
        #expect(
            Lists.faults(two) == [
                "line 1, output: is also the output of the job on line 1; give each job its own"
            ])
        #expect(Lists.faults(#"[{"source": "a.mov"}, {"source": "a.mov"}]"#).count == 1)
        let unique = """
            {"defaults": {"overwrite": "unique", "output": "x.mp4"},
             "jobs": [{"source": "a.mov"}, {"source": "b.mov"}]}
            """
        #expect(Lists.faults(unique).isEmpty)
    }

    @Test("a fault of the defaults is told once, at its own line")
    func defaults() {
        let text = """
            {"defaults": {
               "preset": "medum", "id": "x"},
             "jobs": [{"source": "a.mov"}, {"source": "b.mov"}]}
            """
        let faults = Lists.faults(text)
        #expect(faults.count == 2)
        #expect(faults.filter { $0.hasPrefix("line 2, preset") }.count == 1)
        #expect(faults.filter { $0.hasPrefix("line 2, id: cannot be a default") }.count == 1)
    }

    @Test(
        "a CSV list's faults have line and column",
        arguments: [
            ("source,sorce\na.mov,b\n", "line 1, column 2: there is no field 'sorce'"),
            ("source,source\na,b\n", "line 1, column 2: the column 'source' comes twice"),
            ("source,metadata\na,b\n", "line 1, column 2, metadata: has a column for each key"),
            ("source,priority\n\"a\nb.mov\",x\n", "line 3, column 2, priority: needs"),
            ("source,preset\na.mov\n", "line 2: the record has 1 cells, the header 2"),
            ("source\n\"a.mov\n", "line 2, column 1: the quoted cell has no end"),
            ("source\na\"b\n", "line 2, column 1: a quote stands inside a bare cell"),
            ("source\n\"a\"b\n", "line 2, column 1: text follows a closing quote"),
            ("", "line 1: the list has no header"),
        ])
    func csv(text: String, complaint: String) {
        let faults = Lists.faults(text, as: .csv)
        #expect(faults.contains { $0.hasPrefix(complaint) }, "\(faults)")
    }
}
