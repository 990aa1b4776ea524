import TakeupModel
import TakeupIntake
import TakeupJobs

/// The options that say what jobs do and when, as the commands that queue them share them.
struct JobOptions: Sendable {
    static let specifications =
        ExportOptions.specifications + [
            OptionSpecification(
                name: "expires", valueName: "AGE", environment: "TAKEUP_EXPIRES",
                accepts: { DurationText(parsing: $0) != nil },
                help: "How long the result is kept, such as 7d or 12h; default: as the cache has it"
            ),
            OptionSpecification(
                name: "priority", valueName: "N", environment: "TAKEUP_PRIORITY",
                defaultValue: "0", accepts: { CommandInput.whole($0, in: priorities) != nil },
                help: "Higher runs earlier: -1000 to 1000"),
            OptionSpecification(
                name: "retries", valueName: "N", environment: "TAKEUP_RETRIES", defaultValue: "3",
                accepts: { CommandInput.whole($0, in: retries) != nil },
                help: "Further tries after a failure that can heal: 0 to 100"),
            OptionSpecification(
                name: "queue", valueName: "NAME", environment: "TAKEUP_QUEUE",
                accepts: JobSpec.isName,
                help: "Only workers of this queue do it; default: the queue 'default'"),
            OptionSpecification(
                name: "tag", valueName: "NAME", accepts: JobSpec.isName, isRepeatable: true,
                help: "Only workers with this tag do it, such as gpu"),
            OptionSpecification(
                name: "key", valueName: "NAME", environment: "TAKEUP_KEY",
                accepts: JobSpec.isName,
                help: "On whose behalf: workers are shared evenly between keys"),
        ]

    private static let priorities = JobSpec.priorities
    private static let retries = JobSpec.retryCounts

    private let export: ExportOptions
    private let expiresSeconds: Double?
    private let priority: Int
    private let retries: Int
    private let queue: String?
    private let tags: [String]
    private let key: String?

    init(_ input: CommandInput) throws(UsageError) {
        do {
            export = try ExportOptions(input)
        } catch {
            throw UsageError(error.message, hint: error.hint, path: input.path)
        }
        expiresSeconds = try input.parsed("expires", as: "a time such as 7d, 12h or never") {
            DurationText(parsing: $0).map { $0.seconds ?? DurationText.longest }
        }
        priority = try input.whole("priority", in: Self.priorities) ?? 0
        retries = try input.whole("retries", in: Self.retries) ?? 3
        queue = try Self.name("queue", input)
        key = try Self.name("key", input)
        tags = input.values("tag")
        for tag in tags where !JobSpec.isName(tag) { throw Self.badName("tag", tag, input) }
    }

    private static func name(
        _ option: String, _ input: CommandInput
    ) throws(UsageError) -> String? {
        guard let name = input.value(option) else { return nil }
        guard JobSpec.isName(name) else { throw badName(option, name, input) }
        return name
    }

    private static func badName(
        _ option: String, _ name: String, _ input: CommandInput
    ) -> UsageError {
        UsageError(
            "--\(option) cannot be '\(name)'",
            hint: "use 1 to 64 letters, digits, '.', '_' and '-'", path: input.path)
    }

    /// The preset that the command line itself names.
    var statedPreset: String? { export.presetOrigin == .flag ? export.presetName : nil }

    /// What holds for jobs that do not say otherwise; without an output folder, results stay in the cache alone.
    ///
    /// Throws with 64 for a preset that does not exist, and with 78 for one that is not right or that the environment
    /// or the configuration names.
    func batchOptions(
        outputFolder: String? = nil, in context: CommandContext
    ) throws(Failure) -> BatchOptions {
        var options = BatchOptions()
        options.preset = context.presetPlace(export.presetName)
        do {
            _ = try ExportPreset.resolve(options.preset, in: context.presetFolder)
                .setting(export.presetChanges)
        } catch {
            throw Failure(error, setBy: export.presetOrigin)
        }
        options.presetFolder = context.presetFolder
        options.presetChanges = export.presetChanges
        options.outputFolder = outputFolder
        options.settings = export.settings
        options.expiresSeconds = expiresSeconds
        (options.priority, options.retries) = (priority, retries)
        (options.queue, options.tags, options.key) = (queue, tags, key)
        return options
    }
}
