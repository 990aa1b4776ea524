import Foundation
import TakeupIntake
import TestSupport
import Testing

@testable import TakeupWatch
@testable import takeup

/// What is shipped for people who write a configuration.
@Suite("Shipped schema and example of the configuration")
struct SettingsSchemaTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "packaging")

    private static func value(_ option: OptionSpecification) -> [String: Any] {
        var value: [String: Any] = ["description": option.help]
        if !option.takesValue {
            value["type"] = "boolean"
        } else if option.isRepeatable {
            value["type"] = ["string", "array"] + (option.takesPairs ? ["object"] : [])
            value["items"] = ["type": "string"]
        } else if option.allowedValues.isEmpty {
            value["type"] = ["string", "number"]
        } else {
            value["enum"] = option.allowedValues
        }
        return value
    }

    private static func object(
        _ options: [OptionSpecification], _ more: [String: Any]
    ) -> [String: Any] {
        let own = options.map { ($0.name, value($0) as Any) }
        return [
            "type": "object", "additionalProperties": false,
            "properties": Dictionary(own) { first, _ in first }.merging(more) { $1 },
        ]
    }

    private static func list(of name: String) -> [String: Any] {
        ["type": "array", "items": ["$ref": "#/$defs/\(name)"]]
    }

    private static var schema: [String: Any] {
        let rule = RuleFields.Key.allCases.map { key -> (String, Any) in
            switch key {
            case .hasVideo, .keepIfSmaller: (key.rawValue, ["type": "boolean"])
            case .set: (key.rawValue, ["type": ["object", "array", "string"]])
            case .glob:
                (
                    key.rawValue,
                    ["type": ["string", "array"], "items": ["type": "string"]] as [String: Any]
                )
            case .minBytes, .maxBytes: (key.rawValue, ["type": ["string", "number"]])
            case .minSeconds, .maxSeconds: (key.rawValue, ["type": "number"])
            case .minWidth, .maxWidth, .minHeight, .maxHeight, .priority:
                (key.rawValue, ["type": "integer"])
            case .videoCodec, .audioCodec, .language, .preset, .output, .skip:
                (key.rawValue, ["type": "string"])
            }
        }
        let texts: [String: Any] = ["type": "array", "items": ["type": "string"]]
        let text = ["type": "string"]
        let events: [String: Any] = [
            "type": "array", "items": ["enum": HookEvent.Name.allCases.map(\.rawValue).sorted()],
        ]
        let hook: [String: Any] = [
            "name": text, "command": texts, "url": text, "secretFile": text, "events": events,
            "timeout": text,
        ]
        let folder = WatchCommand.folderOptions
        var path = object(folder, ["path": text, "rules": list(of: "rule")])
        path["required"] = ["path"]
        var whole = object(
            CommandTable.settings.filter(\.isConfigurable),
            ["$schema": text, "watch": ["$ref": "#/$defs/watch"]])
        whole["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        whole["title"] = "The configuration of Takeup"
        whole["$defs"] = [
            "watch": object(
                folder,
                [
                    "folders": list(of: "folder"), "rules": list(of: "rule"),
                    "hooks": list(of: "hook"),
                ]),
            "folder": path, "rule": object([], Dictionary(uniqueKeysWithValues: rule)),
            "hook": object([], hook),
        ]
        return whole
    }

    @Test("the schema has every key that there is, and no other")
    func schema() throws {
        let bytes = try JSONSerialization.data(
            withJSONObject: Self.schema,
            options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        let file = Self.folder.appending(path: "config.schema.json")
        let text = String(decoding: bytes, as: UTF8.self) + "\n"
        if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
            try Data(text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test("the example is taken, shows every part, and says nothing that the schema does not know")
    func example() throws {
        let path = Self.folder.appending(path: "config.example.jsonc").path
        let configuration = try Configuration(path: path, reading: CommandTable.settings)
        #expect(configuration.folders.count > 1 && !configuration.rules.isEmpty)
        #expect(configuration.folders.contains { !$0.rules.isEmpty })
        #expect(configuration.hooks.count > 1)
        let bytes = try #require(FileManager.default.contents(atPath: path))
        let plain = Data(JSONComments.blanked(Array(bytes)))
        let object = try #require(
            try JSONSerialization.jsonObject(with: plain) as? [String: Any])
        let known = try #require(Self.schema["properties"] as? [String: Any])
        #expect(object.keys.allSatisfy { known[$0] != nil })
    }
}
