/// One option: all that parsing, help, completion and the manual page say about it.
struct OptionSpecification: Sendable {
    /// The long name, without dashes.
    let name: String
    var short: Character?
    /// What its value is called in help; nil makes it a flag.
    var valueName: String?
    /// Names it as a setting: it may also come from here, or from the configuration file under `name`.
    var environment: String?
    var defaultValue: String?
    /// The only values there are; empty when any text will do.
    var allowedValues: [String] = []
    /// What may follow the name of a flag, behind `=`; empty for none.
    var forms: [String] = []
    /// Says whether a value from the environment or the configuration makes sense; nil takes all.
    var accepts: (@Sendable (String) -> Bool)?
    /// Whether the command's usage line shows it.
    var isRequired = false
    var isRepeatable = false
    var completion = CompletionKind.nothing
    /// One sentence without a full stop.
    let help: String

    var takesValue: Bool { valueName != nil }
    /// Whether its values are pairs, which a file may write as one object.
    var takesPairs: Bool { isRepeatable && valueName == "KEY=VALUE" }
    /// Whether the configuration file may hold it.
    var isConfigurable: Bool { environment != nil && name != "config" }

    /// `--name VALUE`, with the allowed values in place of the value's name where they are short.
    var synopsis: String {
        guard let valueName else {
            return forms.isEmpty ? "--\(name)" : "--\(name)[=\(forms.joined(separator: "|"))]"
        }
        let values = allowedValues.joined(separator: "|")
        return "--\(name) \(allowedValues.isEmpty || hasLongValues ? valueName : values)"
    }

    /// Whether the allowed values are too many for a synopsis.
    var hasLongValues: Bool { allowedValues.joined(separator: "|").utf8.count > 40 }
}
