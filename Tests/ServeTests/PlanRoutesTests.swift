import Foundation
import TestSupport
import Testing

@testable import TakeupServe

@Suite("Plans and presets over HTTP")
struct PlanRoutesTests {
    @Test("a plan says what a job would do, and nothing is done")
    func plans() throws {
        let trial = try JobTrial()
        let source = try trial.clip()
        let plan = try trial.ask(
            "POST", "/v1/plan", #"{"source": "\#(source)", "preset": "640x480", "output": "o.mp4"}"#
        )
        #expect(plan.status == 200 && plan.word("type") == "plan", "\(plan.text)")
        #expect(plan.word("output.path") == "\(trial.allowed)/o.mp4")
        #expect((plan["tracks"] as? [Any])?.isEmpty == false)
        let titled = try trial.ask(
            "POST", "/v1/plan",
            #"{"source": {"version": 1, "tracks": [{"segments": ["\#(source)"]}], "#
                + #""titles": [{"text": "Hello", "duration": "0.5"}]}, "preset": "640x480"}"#)
        #expect(titled.status == 200 && titled.text.contains(#""subject":"title 1""#))
        #expect(try trial.ask("GET", "/v1/jobs")["jobs"] as? [String] == [])
        #expect(!FileManager.default.fileExists(atPath: "\(trial.allowed)/o.mp4"))
        let text = try trial.file("text.mov", "this is no media at all")
        let refused = try trial.ask("POST", "/v1/plan", #"{"source": "\#(text)"}"#)
        #expect(refused.status == 422, "\(refused.text)")
        let missing = try trial.ask("POST", "/v1/plan", #"{"source": "missing.mov"}"#)
        #expect(missing.status == 404, "\(missing.text)")
        #expect(try trial.ask("POST", "/v1/plan", #"{"source": "/etc/passwd"}"#).status == 403)
        #expect(try trial.ask("POST", "/v1/plan", "[]").status == 400)
    }

    @Test("every preset is told, with what it makes of a source")
    func presets() throws {
        let trial = try JobTrial()
        let list = try trial.ask("GET", "/v1/presets")
        let presets = try #require(list.json as? [[String: Any]])
        #expect(presets.count >= 16 && presets.allSatisfy { $0["from"] as? String == "shipped" })
        let tag = try #require(list.fields["etag"])
        #expect(try trial.ask("GET", "/v1/presets", nil, [("If-None-Match", tag)]).status == 304)
        #expect(try trial.ask("GET", "/v1/presets/1280x720").word("name") == "1280x720")
        for name in ["nothing", "..%2F..%2Fetc%2Fpasswd", "a.json"] {
            #expect(try trial.ask("GET", "/v1/presets/\(name)").status == 404)
        }
        let answers = try trial.ask(
            "POST", "/v1/presets/for", #"{"source": "\#(try trial.clip())"}"#)
        let all = try #require(answers.json as? [[String: Any]])
        #expect(all.count == presets.count && all.contains { $0["compatible"] as? Bool == true })
    }
}
