import TakeupFiles

extension Settings {
    /// Finds the configuration file that applies, reads it, and resolves every option.
    ///
    /// A file that is named must exist; the default one may be missing.
    static func load(
        options: [OptionSpecification], invocation: Invocation, context: CommandContext
    ) throws(ConfigurationError) -> Settings {
        let every = CommandTable.everyOption
        let named =
            invocation.options["config"]?.last ?? context.environment["TAKEUP_CONFIG"]
        var configuration: Configuration?
        if let named, !named.isEmpty {
            configuration = try Configuration(path: context.resolve(named), reading: every)
        } else if let path = defaultPath(context.environment),
            !Folder.isAbsent(path)
        {
            configuration = try Configuration(path: path, reading: every)
        }
        return try Settings(
            options: options, flags: invocation.options, environment: context.environment,
            configuration: configuration)
    }

    /// `$XDG_CONFIG_HOME/takeup/config.json`, or the same below `~/.config`.
    static func defaultPath(_ environment: [String: String]) -> String? {
        if let home = environment["XDG_CONFIG_HOME"], home.hasPrefix("/") {
            return "\(home)/takeup/config.json"
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/.config/takeup/config.json"
    }
}
