import TakeupModel

/// The whole command line: every command, option and argument that exists.
enum CommandTable {
    static let version = ProgramVersion.current

    static let root = CommandSpecification(
        name: "takeup",
        summary: "Export media to MP4",
        details: """
            Turns the video and audio that people really have into correct, complete, playable \
            MP4 files, or says clearly why not.
            """,
        options: acceptedEverywhere,
        essentials: ["json", "quiet", "verbose", "home", "cache", "help"],
        subcommands: [
            ExportCommand.specification, BatchCommand.specification, WatchCommand.specification,
            ServeCommand.specification, SubmitCommand.specification,
            WorkerCommand.specification, WorkersTable.specification, JobsTable.specification,
            CacheTable.specification, DatabaseCommands.specification,
            FetchCommand.specification, ProxyURLCommand.specification,
            ProbeCommand.specification, PresetsTable.specification, VerifyCommand.specification,
            DoctorCommand.specification,
            CompletionCommand.specification,
        ],
        examples: [
            .init(
                line: "takeup export clip.mov -o clip.mp4 --preset 1280x720",
                effect: "at most 1280x720, H.264 and AAC"),
            .init(line: "takeup probe clip.mov", effect: "what is in the file"),
        ])

    /// Accepted by every command, before its name or after it; one that has no use for an option ignores it.
    static let acceptedEverywhere =
        commonOptions + StateOptions.specifications + [NetworkOptions.allowNetwork]
        + CacheLimitOptions.specifications

    /// Used by every command.
    static let commonOptions: [OptionSpecification] = [
        OptionSpecification(
            name: "config", valueName: "FILE", environment: "TAKEUP_CONFIG", completion: .file,
            help: "Read settings from FILE, a JSON object of option names and values"),
        OptionSpecification(
            name: "json", help: "Write JSON to standard output, for scripts"),
        OptionSpecification(
            name: "quiet", short: "q", help: "Say nothing but errors"),
        OptionSpecification(
            name: "verbose", short: "v", help: "Say more about what is done and why"),
        OptionSpecification(
            name: "color", valueName: "WHEN", environment: "TAKEUP_COLOR", defaultValue: "auto",
            allowedValues: ["auto", "always", "never"],
            help: "When to use colour; auto follows the terminal and NO_COLOR"),
        OptionSpecification(
            name: "require-sandbox", environment: "TAKEUP_REQUIRE_SANDBOX",
            help: "Decode nothing that the kernel does not seal off; fail with 78 instead"),
        OptionSpecification(name: "help", short: "h", help: "Explain the command"),
        OptionSpecification(name: "all", help: "With --help: explain every option"),
        OptionSpecification(name: "version", help: "Print the version"),
    ]

    /// Every option of every command, once each.
    static let everyOption: [OptionSpecification] = {
        var seen: Set<String> = []
        return every([root]).flatMap(\.options).filter { seen.insert($0.name).inserted }
    }()

    /// What an environment variable can set, with the variable's name.
    static let settings = everyOption.filter { $0.environment != nil }

    /// The defaults of options that have several, each with its commands: `1h (batch), 60s (watch, worker)`.
    static let differingDefaults: [String: String] = {
        var commands: [String: [String: [String]]] = [:]
        for command in every([root]) {
            for option in command.options {
                guard let value = option.defaultValue else { continue }
                commands[option.name, default: [:]][value, default: []].append(command.name)
            }
        }
        return commands.filter { $0.value.count > 1 }.mapValues { values in
            values.map { "\($0.key) (\($0.value.joined(separator: ", ")))" }.sorted()
                .joined(separator: ", ")
        }
    }()

    private static func every(_ commands: [CommandSpecification]) -> [CommandSpecification] {
        commands.flatMap { [$0] + every($0.subcommands) }
    }
}
