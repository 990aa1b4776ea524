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
        ]

    private static let priorities = JobSpec.priorities
    private static let retries = JobSpec.retryCounts

    private let export: ExportOptions
    private let expiresSeconds: Double?
    private let priority: Int
    private let retries: Int

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
        return options
    }
}
