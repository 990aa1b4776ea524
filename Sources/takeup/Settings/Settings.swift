/// Every setting of one command: flag before environment before configuration before default.
struct Settings: Sendable, Equatable {
    /// In the order of the table.
    let all: [Setting]

    /// - Throws: For an environment variable or a configured value that its option does not allow.
    init(
        options: [OptionSpecification], flags: [String: [String]],
        environment: [String: String], configuration: Configuration?
    ) throws(ConfigurationError) {
        var all: [Setting] = []
        for option in options {
            let setting = Self.find(option, flags, environment, configuration)
            try Self.check(setting, against: option)
            all.append(setting)
        }
        self.all = all
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
            let values = option.takesValue ? given : ["true"]
            return Setting(name: option.name, values: values, origin: .flag)
        }
        if let variable = option.environment, let value = environment[variable], !value.isEmpty {
            return Setting(name: option.name, values: [value], origin: .environment(variable))
        }
        if let configuration, let value = configuration.values[option.name] {
            let origin = Setting.Origin.configuration(configuration.path)
            return Setting(name: option.name, values: [value], origin: origin)
        }
        let values = option.defaultValue.map { [$0] } ?? []
        return Setting(name: option.name, values: values, origin: .builtIn)
    }

    private static func check(
        _ setting: Setting, against option: OptionSpecification
    ) throws(ConfigurationError) {
        let allowed = option.takesValue ? option.allowedValues : ["true", "false"]
        guard setting.origin != .flag else { return }
        for value in setting.values {
            if let accepts = option.accepts, !accepts(value) {
                throw ConfigurationError(
                    message: "\(setting.origin): \(option.name) cannot be '\(value)'",
                    hint: option.help)
            }
            guard !allowed.isEmpty, !allowed.contains(value) else { continue }
            throw ConfigurationError(
                message: "\(setting.origin): \(option.name) cannot be '\(value)'",
                hint: ArgumentReader.suggestion(for: value, among: allowed))
        }
    }
}
