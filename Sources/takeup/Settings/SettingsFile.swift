import Foundation
import TakeupFiles
import TakeupIntake
import TakeupModel
import TakeupWatch

/// Reads the JSON object of a settings file, whoever it is for, and says what is wrong with it.
struct SettingsFile: Sendable {
    /// Bytes that such a file may have.
    static let mostBytes = 1_000_000

    let path: String
    /// What it is called in messages.
    let kind: String
    /// Whether messages name it; without that they are about `it`.
    var isNamed = true

    private static let words = RuleWords(
        bytes: { ByteSize(parsing: $0)?.bytes },
        nearest: { Spelling.nearest(to: $0, among: $1) })

    /// - Throws: For a text that is no JSON object of settings.
    func object(_ bytes: Data) throws(ConfigurationError) -> SettingsObject {
        let bytes = Data(JSONComments.blanked(Array(bytes)))
        do {
            let decoder = JSONDecoder()
            if let key = CodingUserInfoKey.ruleWords { decoder.userInfo[key] = Self.words }
            let object = try decoder.decode(SettingsObject.self, from: bytes)
            try requireForm(bytes)
            return object
        } catch let error as ConfigurationError {
            throw error
        } catch let error as DecodingError {
            let fault = SettingsFault(error, in: bytes)
            throw ConfigurationError(
                message: "\(subject) is not a \(kind): \(fault.reason)", hint: fault.hint)
        } catch let error as WatchError {
            throw ConfigurationError(
                message: isNamed ? "\(path): \(error)" : Self.words(error),
                hint: "'man takeup-config' has what a rule may say")
        } catch {
            throw ConfigurationError(
                message: "\(subject) is not a \(kind): \(error)", hint: "write one JSON object")
        }
    }

    /// A decoder takes the last of two values of one key in silence.
    private func requireForm(_ bytes: Data) throws(ConfigurationError) {
        guard let fault = JSONText.fault(in: Array(bytes)) else { return }
        throw ConfigurationError(
            message: "\(subject) is not a \(kind): \(fault.message)",
            hint: fault.hint ?? "write each key once")
    }

    private var subject: String { isNamed ? path : "it" }

    /// Whoever names the file says that it cannot be used.
    private static func words(_ error: WatchError) -> String {
        guard case .unreadable(let setting, let reason) = error else { return "\(error)" }
        return "\(setting): \(reason)"
    }

    /// The values of an object for the options that it may have; relative paths start at the file's folder.
    ///
    /// - Parameters:
    ///   - object: A part of this file.
    ///   - options: What it may say.
    ///   - parts: What it may have besides.
    /// - Returns: By option names.
    /// - Throws: For a key that is none of these, and a value of another kind.
    func values(
        of object: SettingsObject, for options: [OptionSpecification],
        beside parts: [SettingsObject.Part] = []
    ) throws(ConfigurationError) -> [String: [String]] {
        for part in object.parts where !parts.contains(part) {
            throw unknown(part.rawValue, options, parts)
        }
        var values: [String: [String]] = [:]
        for (key, value) in object.options.sorted(by: { $0.key < $1.key }) {
            guard let option = options.first(where: { $0.name == key }) else {
                throw unknown(key, options, parts)
            }
            guard let texts = value.texts(for: option) else {
                throw ConfigurationError(
                    message: "\(subject) has \(value.kind) for '\(key)'",
                    hint: !option.takesValue
                        ? "write true or false"
                        : option.takesPairs
                            ? "write an object such as {\"KEY\": VALUE}"
                            : option.isRepeatable ? "write a list of texts" : "write a text")
            }
            values[key] = texts.map { place($0, of: option.completion) }
        }
        return values
    }

    private func unknown(
        _ key: String, _ options: [OptionSpecification], _ parts: [SettingsObject.Part]
    ) -> ConfigurationError {
        let names = (options.map(\.name) + parts.map(\.rawValue)).sorted()
        return ConfigurationError(
            message: "\(subject) has an unknown key '\(key)'",
            hint: ArgumentReader.suggestion(for: key, among: names))
    }

    /// A preset file, another file or a folder is named from the file's own folder.
    func place(_ value: String, of kind: CompletionKind) -> String {
        let isPath =
            switch kind {
            case .preset, .template: ExportPreset.isPath(value)
            case .directory, .file: true
            case .nothing, .presetField: false
            }
        guard isPath else { return value }
        let value = HomePath.expanded(value)
        guard !Folder.isAbsolute(value), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        else {
            return value
        }
        return path[...slash] + value
    }
}
