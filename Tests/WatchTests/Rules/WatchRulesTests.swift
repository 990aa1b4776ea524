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
        let decoder = JSONDecoder()
        decoder.userInfo[try #require(CodingUserInfoKey.ruleWords)] = Self.words
        return try WatchRules(decoder.decode([WatchRule].self, from: Data(json.utf8)))
    }

    /// Sizes in megabytes alone, and keys that differ in case.
    private static let words = RuleWords(
        bytes: { $0.hasSuffix("MB") ? Int64($0.dropLast(2)).map { $0 * 1_000_000 } : nil },
        nearest: { word, keys in keys.first { $0.lowercased() == word.lowercased() } })

    private func fault(_ json: String) -> String? {
        do {
            _ = try rules(json)
            return nil
        } catch WatchError.unreadable(let setting, let reason) {
            return "\(setting): \(reason)"
        } catch {
            return "\(error)"
        }
    }

    @Test("the first rule that holds decides")
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
        #expect(decision.result.preset == nil)
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

    @Test("without a rule that holds, nothing is said")
    func noRule() throws {
        let decision = try rules(#"[{"glob": "*.mkv"}]"#).decision(for: facts("clip.mov"))
        #expect(decision.rule == nil)
        #expect(decision.result == WatchRule.Result())
        #expect(decision.misses.count == 1)
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

    @Test(
        "languages are the same under all their names, and with a country only if one is asked for",
        arguments: [
            ("de", "ger", true), ("deu", "ger", true), ("ger", "de-AT", true), ("DE", "deu", true),
            ("de-AT", "de_at", true), ("de-AT", "de", false), ("de-AT", "de-CH", false),
            ("zh", "chi", true), ("en", "eng", true), ("en", "enm", false), ("", "eng", false),
            ("qaa", "qaa", true), ("tlh", "tlh", true), ("de", "", false),
        ])
    func languages(wanted: String, found: String, isSame: Bool) {
        var rule = WatchRule()
        rule.language = wanted
        var facts = FileFacts(path: "a")
        facts.languages = ["jpn", found]
        #expect((rule.obstacle(for: facts) == nil) == isSame)
    }

    @Test("says whether files have to be looked into")
    func needsMedia() throws {
        #expect(try !rules(#"[{"glob": "*", "minBytes": 1}]"#).needsMedia)
        #expect(try rules(#"[{"glob": "*"}, {"language": "de"}]"#).needsMedia)
        #expect(try rules(#"[{"hasVideo": false}]"#).needsMedia)
        #expect(try rules(#"[{"maxSeconds": 1}]"#).needsMedia)
    }

    @Test("fields of the preset may be an object or a list")
    func presetChanges() throws {
        let result = try rules(#"[{"set": {"video.crf": 20, "fastStart": false}}]"#).rules[0].result
        #expect(result.presetChanges == ["fastStart=false", "video.crf=20"] && result.isWork)
        let list = try rules(#"[{"set": ["video.crf=20", "fastStart=false"]}]"#).rules[0].result
        #expect(list.presetChanges == ["video.crf=20", "fastStart=false"])
    }

    @Test("a priority may be below 0", arguments: [-1000, -5, 0, 1000])
    func priorities(number: Int) throws {
        #expect(try rules(#"[{"priority": \#(number)}]"#).rules[0].result.priority == number)
    }

    @Test("sizes may be texts; null is no value")
    func sizes() throws {
        let rules = try rules(#"[{"minBytes": "2MB", "maxBytes": 3000000, "skip": "medium"}]"#)
        #expect(rules.rules[0].minBytes == 2_000_000)
        #expect(rules.rules[0].maxBytes == 3_000_000)
        #expect(fault(#"[{"minBytes": null}]"#)?.hasPrefix("rule 1, “minBytes”: it is not") == true)
    }

    @Test(
        "a fault is said with the rule's number and the key",
        arguments: [
            (#"{"globs": "*"}"#, "“globs”: there is no such key; there are glob, minBytes,"),
            (#"{"minbytes": 5}"#, "“minbytes”: there is no such key; did you mean “minBytes”?"),
            (#"{"minBytes": -1}"#, "“minBytes”: it is below 0"),
            (#"{"minBytes": 1.5}"#, "“minBytes”: it is not a whole number of bytes"),
            (#"{"minBytes": "1 apple"}"#, "“minBytes”: “1 apple” is no size"),
            (#"{"minSeconds": "1h"}"#, "“minSeconds”: it is not a number of seconds"),
            (#"{"minSeconds": 5, "maxSeconds": 4}"#, "“maxSeconds”: it is below what"),
            (#"{"minHeight": true}"#, "“minHeight”: it is not a whole number of pixels"),
            (#"{"hasVideo": "yes"}"#, "“hasVideo”: it is not true or false"),
            (#"{"priority": 1001}"#, "“priority”: it is not a number from -1000 to 1000"),
            (#"{"priority": -1001}"#, "“priority”: it is not a number from -1000 to 1000"),
            (#"{"priority": 0.5}"#, "“priority”: it is not a number from -1000 to 1000"),
            (#"{"preset": ""}"#, "“preset”: a text has 1 to 1024 bytes"),
            (#"{"preset": 5}"#, "“preset”: it is not a text"),
            (#"{"glob": []}"#, "“glob”: a list has 1 to 100 texts"),
            (#"{"glob": [1]}"#, "“glob”: it is not a text or a list of texts"),
            (#"{"glob": ""}"#, "“glob”: a pattern has 1 to 1024 bytes"),
            (#"{"output": "/x"}"#, "“output”: it is not relative"),
            (#"{"output": "{stme}"}"#, "“output”: there is no {stme}; there are"),
            (#"{"skip": "no", "preset": "web"}"#, "“skip”: a file that is left alone"),
            (#"{"skip": "no", "keepIfSmaller": true}"#, "“skip”: a file that is left alone"),
        ])
    func faults(rule: String, says: String) {
        let found = fault("[{}, \(rule)]")
        #expect(found?.hasPrefix("rule 2, \(says)") == true, "\(found ?? "none")")
    }

    @Test("a list that is none, or too long, is refused")
    func lists() {
        #expect(fault("[{}, 5]") == "rule 2: it is no object with keys")
        let many = Array(repeating: "{}", count: WatchRules.mostRules + 1).joined(separator: ",")
        #expect(fault("[\(many)]") == "rules: more than 1000")
    }

    @Test("what is known of a file can be stored and read again")
    func stored() throws {
        let facts = facts("news/clip.mov")
        let text = try JSONEncoder().encode(facts)
        #expect(try JSONDecoder().decode(FileFacts.self, from: text) == facts)
    }
}
