import Foundation
import TakeupWatch
import Testing

@testable import takeup

@Suite("Form of a configuration")
struct SettingsFormTests {
    private func configuration(_ text: String) throws -> Configuration {
        let bench = try TestBench()
        let path = try bench.write(text, to: "config.json")
        return try Configuration(path: path, reading: CommandTable.settings)
    }

    @Test("comments, a last comma and the place of a schema are taken")
    func comments() throws {
        let read = try configuration(
            """
            {
              // said to people
              "$schema": "./config.schema.json",
              "preset": "low", /* not "high" */
            }
            """)
        #expect(read.values["preset"]?.texts == ["low"] && read.values.count == 1)
    }

    @Test(
        "a key that comes twice is refused with its line",
        arguments: [
            "{\"preset\": \"low\",\n\"preset\": \"medium\"}",
            "{\"preset\": \"low\", // one\n\"pr\\u0065set\": \"medium\"}",
            "{\"watch\": {\"folders\": [{\"path\": \"a\",\n \"path\": \"b\"}]}}",
            "{\"watch\": {\"rules\": [{\"glob\": \"a\", \n\"glob\": \"b\", \"skip\": \"c\"}]}}",
        ])
    func duplicates(text: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try configuration(text) }
        let message = try #require(error?.message)
        #expect(message.contains("comes twice") && message.contains("line 2"), "\(message)")
    }

    @Test("pairs may be an object, as in a list of jobs, or a list of texts")
    func pairs() throws {
        let forms = [
            #"{"video.crf": 20, "video.tune": null, "audio.codec": "aac", "fastStart": false}"#,
            #"["audio.codec=aac", "fastStart=false", "video.crf=20", "video.tune=null"]"#,
        ]
        for form in forms {
            let read = try configuration(
                "{\"watch\": {\"folders\": [{\"path\": \"/in\", \"set\": \(form)}]}}")
            #expect(
                read.folders.first?.values["set"]?.texts
                    == ["audio.codec=aac", "fastStart=false", "video.crf=20", "video.tune=null"])
        }
        for form in [#"{"video": {"crf": 20}}"#, "{}"] {
            let error = #expect(throws: ConfigurationError.self) {
                try configuration(
                    "{\"watch\": {\"folders\": [{\"path\": \"/in\", \"set\": \(form)}]}}")
            }
            #expect(error?.hint.contains("write an object") == true, "\(error?.hint ?? "")")
        }
        #expect(throws: ConfigurationError.self) { try configuration(#"{"preset": {"a": 1}}"#) }
    }

    @Test("paths may begin at the user's home")
    func home() throws {
        #expect(HomePath.expanded("~/a", home: "/h") == "/h/a")
        #expect(HomePath.expanded("~", home: "/h") == "/h")
        for path in ["~user/a", "a/~", "/~/a", "~", "~/a"] {
            #expect(HomePath.expanded(path, home: path.hasPrefix("~u") ? "/h" : nil) == path)
        }
        let home = try #require(ProcessInfo.processInfo.environment["HOME"])
        let read = try configuration(
            """
            {"cache": "~/c", "watch": {"folders": [{"path": "~/in", "output": "~/out"}],
             "hooks": [{"command": ["~/tell"]}]}}
            """)
        #expect(read.values["cache"]?.texts == ["\(home)/c"])
        #expect(read.folders.first?.path == "\(home)/in")
        #expect(read.folders.first?.values["output"]?.texts == ["\(home)/out"])
        #expect(read.hooks.first?.target == .command(["\(home)/tell"]))
    }
}
