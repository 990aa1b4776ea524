import TakeupExport
import TakeupIntake

extension ExportCommand {
    static let specification = CommandSpecification(
        name: "export",
        summary: "Export media to an MP4 file",
        details: """
            Several INPUTs are joined in order. The output appears under its name only once it is \
            complete and verified; a truncated or damaged source fails unless --on-truncated \
            salvage is given. T is seconds (12.5), a clock time (1:02:03.250) or an exact \
            fraction (1001/30000).
            """,
        argument: ArgumentSpecification(
            name: "INPUT", count: 0...10_000, completion: .file, help: "Media files"),
        options: outputOptions + rangeOptions + policyOptions + contentOptions,
        examples: [
            .init(
                line: "takeup export clip.mov -o clip.mp4 --preset 1280x720",
                effect: "at most 1280x720, H.264 and AAC"),
            .init(
                line: "takeup export talk.mkv -o talk.mp4 --start 1:30 --duration 20",
                effect: "twenty seconds from 1:30 on"),
            .init(
                line: "takeup export a.mp4 b.mp4 -o both.mp4 --size-limit 25MB",
                effect: "two files joined, in at most 25,000,000 bytes"),
            .init(
                line: "takeup export clip.mov -o clip.mp4 --dry-run",
                effect: "print the plan and write nothing"),
        ],
        make: { input throws(UsageError) in try ExportCommand(input) })

    private static let outputOptions: [OptionSpecification] = [
        OptionSpecification(
            name: "output", short: "o", valueName: "OUT", isRequired: true, completion: .file,
            help: "File to write (.mp4, .m4v, .m4a), or a folder for a file named after INPUT"),
        OptionSpecification(
            name: "preset", short: "p", valueName: "NAME|FILE", environment: "TAKEUP_PRESET",
            defaultValue: "medium", completion: .preset,
            help: "What to make: a shipped preset or a preset file"),
    ]

    private static let rangeOptions: [OptionSpecification] = [
        OptionSpecification(name: "start", valueName: "T", help: "Where the output begins"),
        OptionSpecification(name: "end", valueName: "T", help: "Where the output ends"),
        OptionSpecification(name: "duration", valueName: "T", help: "How long the output lasts"),
    ]

    private static let policyOptions: [OptionSpecification] = [
        OptionSpecification(
            name: "overwrite", valueName: "POLICY", environment: "TAKEUP_OVERWRITE",
            defaultValue: "fail",
            allowedValues: ExportSettings.Overwrite.allCases.map(\.rawValue),
            help: "What to do when OUT exists; unique picks the next free name"),
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
            accepts: { ByteSize(parsing: $0) != nil },
            help: "Largest output, such as 25MB, 25MiB or 25000000"),
        OptionSpecification(
            name: "dry-run", help: "Print the plan and its reasons; write nothing"),
    ]

    private static let contentOptions: [OptionSpecification] = [
        OptionSpecification(
            name: "metadata", valueName: "KEY=VALUE", isRepeatable: true,
            help: "Set a metadata field; an empty VALUE removes it"),
        OptionSpecification(
            name: "strip-metadata", environment: "TAKEUP_STRIP_METADATA",
            help: "Leave out the source's metadata and chapters"),
        OptionSpecification(
            name: "video", valueName: "FILE", completion: .file,
            help: "Take the pictures from FILE"),
        OptionSpecification(
            name: "audio", valueName: "FILE", completion: .file, help: "Take the sound from FILE"),
        OptionSpecification(
            name: "poster", valueName: "FILE", completion: .file,
            help: "Also write a JPEG of a representative frame"),
    ]
}
