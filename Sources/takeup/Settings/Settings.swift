/// Every setting of one command: flag before environment before configuration before default.
struct Settings: Sendable, Equatable {
    /// In the order of the table.
    private(set) var all: [Setting]
    /// The file that was read; nil when there is none.
    let configuration: Configuration?

    /// - Throws: For an environment variable or a configured value that its option does not allow.
    init(
        options: [OptionSpecification], flags: [String: [String]],
        environment: [String: String], configuration: Configuration?
    ) throws(ConfigurationError) {
        var all: [Setting] = []
        for option in options {
            let setting = Self.find(option, flags, environment, configuration)
            if let error = Self.refusal(of: setting, by: option) {
                throw ConfigurationError(
                    message: "\(setting.origin): \(error.message)", hint: error.hint)
            }
            all.append(setting)
        }
        (self.all, self.configuration) = (all, configuration)
    }

    /// The same settings with others in place of some, whatever had set these.
    ///
    /// - Throws: For a value that its option does not allow; its origin is left to the caller to say.
    func overlaid(
        _ values: [String: [String]], _ origin: Setting.Origin,
        options: [OptionSpecification]
    ) throws(ConfigurationError) -> Settings {
        var overlaid = self
        for (index, setting) in all.enumerated() {
            guard let texts = values[setting.name] else { continue }
            let other = Setting(name: setting.name, values: texts, origin: origin)
            let option = options.first { $0.name == setting.name }
            if let error = option.flatMap({ Self.refusal(of: other, by: $0) }) { throw error }
            overlaid.all[index] = other
        }
        return overlaid
    }

    func setting(_ name: String) -> Setting? { all.first { $0.name == name } }

    func value(_ name: String) -> String? { setting(name)?.values.last }

    /// Whether a flag is on.
    func isOn(_ name: String) -> Bool { value(name) == "true" }

    private static func find(
        _ option: OptionSpecification, _ flags: [String: [String]],
        _ environment: [String: String], _ configuration: Configuration?
    ) -> Setting {
        if let given = flags[option.name] {
            let values = option.takesValue ? given : given.map { $0.isEmpty ? "true" : $0 }
            return Setting(name: option.name, values: values, origin: .flag)
        }
        if let variable = option.environment, let value = environment[variable], !value.isEmpty {
            return Setting(name: option.name, values: [value], origin: .environment(variable))
        }
        if let value = configuration?.values[option.name] {
            return Setting(
                name: option.name, values: value.texts, origin: .configuration(value.place))
        }
        let values = option.defaultValue.map { [$0] } ?? []
        return Setting(name: option.name, values: values, origin: .builtIn)
    }

    /// Why an option does not allow a value; nil when it does, and for flags, which were looked at before.
    private static func refusal(
        of setting: Setting, by option: OptionSpecification
    ) -> ConfigurationError? {
        let allowed = option.takesValue ? option.allowedValues : ["true", "false"]
        guard setting.origin != .flag else { return nil }
        for value in setting.values {
            if let accepts = option.accepts, !accepts(value) {
                return ConfigurationError(
                    message: "\(option.name) cannot be '\(value)'", hint: option.help)
            }
            guard !allowed.isEmpty, !allowed.contains(value) else { continue }
            return ConfigurationError(
                message: "\(option.name) cannot be '\(value)'",
                hint: ArgumentReader.suggestion(for: value, among: allowed))
        }
        return nil
    }
}
