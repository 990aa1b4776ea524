import Foundation
import TakeupWatch
import Testing

@Suite("Watch rules")
struct WatchRulesTests {
    private func facts(_ path: String) -> FileFacts {
        var facts = FileFacts(path: path)
        (facts.bytes, facts.seconds, facts.width, facts.height) = (5_000, 60, 1920, 1080)
        (facts.videoCodec, facts.audioCodec) = ("h264", "aac")
        (facts.languages, facts.hasVideo) = (["eng", "de"], true)
        return facts
    }

    private func rules(_ json: String) throws -> WatchRules {
        let rules = try JSONDecoder().decode([WatchRule].self, from: Data(json.utf8))
        return try WatchRules(rules, defaults: WatchRule.Result(preset: "web", priority: 5))
    }

    @Test("the first rule that holds decides, and the defaults fill it up")
    func firstDecides() throws {
        let rules = try rules(
            """
            [{"glob": "*.mkv", "skip": "films"},
             {"glob": ["news/**", "*.mxf"], "maxSeconds": 30, "preset": "short"},
             {"minHeight": 1080, "priority": 9, "output": "hd/{stem}.mp4"},
             {"preset": "never"}]
            """)
        let decision = rules.decision(for: facts("news/clip.mov"))
        #expect(decision.rule == 3)
        #expect(decision.result.preset == "web")
        #expect(decision.result.priority == 9)
        #expect(decision.result.output?.text == "hd/{stem}.mp4")
        #expect(decision.result.skip == nil)
        #expect(
            decision.misses.map(\.reason) == [
                "the name matches none of “*.mkv”",
                "the duration is 60.0 seconds, and at most 30.0 are asked for",
            ])
        #expect(decision.misses.map(\.rule) == [1, 2])
        #expect(rules.decision(for: facts("a/film.mkv")).result.skip == "films")
    }

    @Test("without a rule that holds, the defaults do")
    func defaults() throws {
        let decision = try rules(#"[{"glob": "*.mkv"}]"#).decision(for: facts("clip.mov"))
        #expect(decision.rule == nil)
        #expect(decision.result == WatchRule.Result(preset: "web", priority: 5))
        #expect(decision.misses.count == 1)
    }

    @Test("a rule with work to do takes back a default that skips")
    func skipsByDefault() throws {
        var rule = WatchRule()
        rule.globs = [try GlobPattern("*.mov")]
        rule.result.preset = "web"
        let rules = try WatchRules([rule], defaults: WatchRule.Result(skip: "not asked for"))
        #expect(rules.decision(for: facts("a.mov")).result.skip == nil)
        #expect(rules.decision(for: facts("a.mkv")).result.skip == "not asked for")
    }

    @Test(
        "each condition holds at its bounds, and not beyond them or for what is not known",
        arguments: [
            (#""minBytes": 5000"#, #""minBytes": 5001"#),
            (#""maxBytes": 5000"#, #""maxBytes": 4999"#),
            (#""minSeconds": 60"#, #""minSeconds": 60.5"#),
            (#""maxSeconds": 60"#, #""maxSeconds": 59.9"#),
            (#""minWidth": 1920"#, #""minWidth": 1921"#),
            (#""maxWidth": 1920"#, #""maxWidth": 1919"#),
            (#""minHeight": 1080"#, #""minHeight": 1081"#),
            (#""maxHeight": 1080"#, #""maxHeight": 1079"#),
            (#""videoCodec": "H264""#, #""videoCodec": "hevc""#),
            (#""audioCodec": "aac""#, #""audioCodec": "ac3""#),
            (#""language": "DE""#, #""language": "fr""#),
            (#""hasVideo": true"#, #""hasVideo": false"#),
        ])
    func conditions(holds: String, fails: String) throws {
        #expect(try rules("[{\(holds)}]").decision(for: facts("a")).rule == 1)
        let missed = try rules("[{\(fails)}]").decision(for: facts("a"))
        #expect(missed.rule == nil)
        let unknown = try rules("[{\(holds)}]").decision(for: FileFacts(path: "a"))
        #expect(unknown.rule == nil)
        #expect(unknown.misses.first?.reason.hasSuffix("is not known") == true)
    }

    @Test("says whether files have to be looked into")
    func needsMedia() throws {
        #expect(try !rules(#"[{"glob": "*", "minBytes": 1}]"#).needsMedia)
        #expect(try rules(#"[{"glob": "*"}, {"language": "de"}]"#).needsMedia)
        #expect(try rules(#"[{"hasVideo": false}]"#).needsMedia)
        #expect(try rules(#"[{"maxSeconds": 1}]"#).needsMedia)
    }

    @Test(
        "refuses what it does not know or cannot hold",
        arguments: [
            #"{"globs": "*"}"#, #"{"minBytes": -1}"#, #"{"minSeconds": 5, "maxSeconds": 4}"#,
            #"{"priority": 10}"#, #"{"preset": ""}"#, #"{"glob": []}"#, #"{"glob": ""}"#,
            #"{"output": "/x"}"#, #"{"skip": "no", "preset": "web"}"#,
        ])
    func refuses(json: String) {
        #expect(throws: WatchError.self) { try rules("[\(json)]") }
    }

    @Test("an error names the rule and the key; another type is no number")
    func errors() throws {
        do {
            _ = try rules(#"[{}, {"minbytes": 5}]"#)
            Issue.record("an unknown key was taken")
        } catch WatchError.unreadable(let setting, let reason) {
            #expect(setting == "rule 2")
            #expect(reason.hasPrefix("there is no “minbytes”; there are glob, minBytes,"))
        }
        #expect(throws: DecodingError.self) { try rules(#"[{"minBytes": "10MB"}]"#) }
    }
}
