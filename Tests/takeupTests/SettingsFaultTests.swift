import Foundation
import TakeupIntake
import Testing

@testable import takeup

@Suite("Faults of settings")
struct SettingsFaultTests {
    private func fault(_ text: String, isNamed: Bool = true) -> ConfigurationError? {
        let file = SettingsFile(path: "c.json", kind: "configuration file", isNamed: isNamed)
        do throws(ConfigurationError) {
            let object = try file.object(Data(text.utf8))
            _ = try file.values(
                of: object.watch ?? object, for: WatchCommand.folderOptions,
                beside: SettingsObject.Part.allCases)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "say where, what is there and what has to be",
        arguments: [
            ("", "it is empty"), ("[]", "it is a list, and has to be an object"),
            ("{\"a\": 1,\n  \"b\": }", "line 2, column 8: "),
            ("{\"preset\": \"low\" \"copy\"}", "line 1, column 18: a comma is missing before this"),
            ("{\"preset\": \"low\"", "line 1, column 17: it ends in the middle of a value"),
            ("{} {}", "line 1, column 4: nothing may follow the value"),
            (#"{"watch": []}"#, "'watch' is a list, and has to be an object"),
            (
                #"{"watch": {"hooks": [{"command": "./hook.sh"}]}}"#,
                "'watch.hooks[0].command' is a text, and has to be a list"
            ),
            (
                #"{"watch": {"hooks": [{"command": ["a"]}, {"command": ["a", 1]}]}}"#,
                "'watch.hooks[1].command[1]' is a number, and has to be a text"
            ),
            (
                #"{"watch": {"hooks": [{"command": ["a"], "events": ["finished"]}]}}"#,
                "'watch.hooks[0].events': there is no event 'finished'; there are queued,"
            ),
            (#"{"watch": {"folders": [5]}}"#, "'watch.folders[0]' is a number, and has to be"),
            (#"{"skip": null}"#, "'skip' is null, and has to be a text"),
        ])
    func words(text: String, says: String) throws {
        let fault = try #require(self.fault(text))
        let start = "c.json is not a configuration file: \(says)"
        #expect(fault.message.hasPrefix(start), "\(fault.message)")
        #expect(!fault.message.contains("decode"))
        let other = self.fault(text, isNamed: false)?.message
        #expect(other == fault.message.replacing("c.json", with: "it"))
    }

    @Test(
        "say what to write instead",
        arguments: [
            (#"{"watch": {"folder": [{"path": "in"}]}}"#, "did you mean 'folders'?"),
            (#"{"watch": {"hooks": [{"command": "a"}]}}"#, "write a list of words"),
            (#"{"preset": {"name": "low"}}"#, "write a text"),
            (#"{"exclude": [1]}"#, "write a list of texts"), (#"{"preset": null}"#, "a text"),
            (#"{"only-smaller": "yes"}"#, "write true or false"), ("[]", "write one JSON object"),
        ])
    func hints(text: String, says: String) throws {
        let fault = try #require(self.fault(text))
        #expect(fault.hint.contains(says), "\(fault.message); \(fault.hint)")
    }
}
