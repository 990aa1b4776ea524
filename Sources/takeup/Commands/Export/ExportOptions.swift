import TakeupModel
import TakeupIntake

/// The options that say what an export makes of its sources, as every command that exports shares them.
struct ExportOptions: Sendable, Equatable {
    static let specifications = [preset, changes] + range + policies + content

    static let dryRun = OptionSpecification(
        name: "dry-run", forms: ["svg"],
        help: "Print the plan and its reasons, or a picture of the timeline; write nothing")

    /// How clips become a story.
    static let template: [OptionSpecification] = [
        OptionSpecification(
            name: "template", valueName: "NAME|FILE", completion: .template,
            help: "Lay the inputs out by a template, with its preset; 'presets list' names them"),
        OptionSpecification(
            name: "music", valueName: "FILE", completion: .file,
            help: "With --template: sound under the inputs, repeated or cut to their length"),
    ]

    private static let preset = OptionSpecification(
        name: "preset", short: "p", valueName: "NAME|FILE", environment: "TAKEUP_PRESET",
        defaultValue: "medium", completion: .preset,
        help: "What to make: a shipped preset or a preset file")

    private static let changes = OptionSpecification(
        name: "set", valueName: "KEY=VALUE", isRepeatable: true, completion: .presetField,
        help: "Change a field of the preset, such as video.crf=20 or audio.maxChannels=6")

    private static let range: [OptionSpecification] = [
        OptionSpecification(name: "start", valueName: "T", help: "Where the output begins"),
        OptionSpecification(name: "end", valueName: "T", help: "Where the output ends"),
        OptionSpecification(name: "duration", valueName: "T", help: "How long the output lasts"),
    ]

    private static let policies: [OptionSpecification] = [
        OptionSpecification(
            name: "overwrite", valueName: "POLICY", environment: "TAKEUP_OVERWRITE",
            defaultValue: "fail",
            allowedValues: ExportSettings.Overwrite.allCases.map(\.rawValue),
            help: "What to do when the output exists; unique picks the next free name"),
        OptionSpecification(
            name: "on-truncated", valueName: "POLICY", environment: "TAKEUP_ON_TRUNCATED",
            defaultValue: "fail",
            allowedValues: ExportSettings.OnTruncated.allCases.map(\.rawValue),
            help: "What to do with a source that is cut short or damaged"),
        OptionSpecification(
            name: "verify", valueName: "HOW", environment: "TAKEUP_VERIFY", defaultValue: "quick",
            allowedValues: ExportSettings.Verification.allCases.map(\.rawValue),
            help: "How to check the output before it appears; full decodes every frame"),
        OptionSpecification(
            name: "copy", valueName: "POLICY", environment: "TAKEUP_COPY", defaultValue: "auto",
            allowedValues: ExportSettings.CopyPolicy.allCases.map(\.rawValue),
            help: "Whether a track that already suits the preset is copied unchanged"),
        OptionSpecification(
            name: "size-limit", valueName: "SIZE", environment: "TAKEUP_SIZE_LIMIT",
            accepts: { ByteSize.outputLimit(parsing: $0) != nil },
            help: "Largest output, such as 25MB, 25MiB or 25000000"),
    ]

    private static let content: [OptionSpecification] = [
        OptionSpecification(
            name: "metadata", valueName: "KEY=VALUE", isRepeatable: true,
            help: "Set a metadata field; an empty VALUE removes it"),
        OptionSpecification(
            name: "strip-metadata", environment: "TAKEUP_STRIP_METADATA",
            help: "Leave out the source's metadata and chapters"),
    ]

    let presetName: String
    let presetOrigin: Setting.Origin?
    let presetChanges: [PresetChange]
    let settings: ExportSettings

    init(_ input: CommandInput) throws(UsageError) {
        presetName = input.value("preset") ?? ExportPreset.defaultName
        presetOrigin = input.settings.setting("preset")?.origin
        presetChanges = try input.values("set").map { (text) throws(UsageError) in
            guard let change = PresetChange(parsing: text) else {
                throw UsageError(
                    "--set cannot be '\(text)'", hint: "write KEY=VALUE, such as video.crf=20")
            }
            return change
        }
        settings = try Self.settings(input)
    }

    private static func settings(_ input: CommandInput) throws(UsageError) -> ExportSettings {
        var settings = ExportSettings()
        settings.timeRange = try timeRange(input)
        settings.overwrite = choice(input, "overwrite") ?? settings.overwrite
        settings.onTruncated = choice(input, "on-truncated") ?? settings.onTruncated
        settings.verification = choice(input, "verify") ?? settings.verification
        settings.copy = choice(input, "copy") ?? settings.copy
        settings.metadata = try metadata(input.values("metadata"))
        settings.stripsMetadata = input.isOn("strip-metadata")
        if let limit = input.value("size-limit") {
            guard let bytes = ByteSize.outputLimit(parsing: limit) else {
                throw UsageError(
                    "--size-limit cannot be '\(limit)'",
                    hint: "write a size above zero, of at most 1000TB, such as 25MB, 25MiB or"
                        + " 25000000")
            }
            settings.fileLengthLimit = bytes
        }
        return settings
    }

    private static func choice<Value: RawRepresentable<String>>(
        _ input: CommandInput, _ option: String
    ) -> Value? {
        input.value(option).flatMap { Value(rawValue: $0) }
    }
}
