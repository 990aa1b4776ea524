import TakeupIntake
import TakeupModel
import TakeupService
import TakeupWatch

/// The options that say how folders are watched, and what becomes of their files.
struct WatchOptions: Sendable {
    static let specifications = [
        OptionSpecification(
            name: "output", short: "o", valueName: "DIR", completion: .directory,
            help: "Folder of the outputs, besides the cache; each folder's tree is mirrored"),
        OptionSpecification(
            name: "name", valueName: "TEMPLATE",
            help:
                "Names of outputs, from {folder} {stem} {name} {suffix} {preset} {year} {month} {day};"
                + " default {folder}/{stem} and the preset's suffix"),
        OptionSpecification(
            name: "after", valueName: "WORD", defaultValue: "keep",
            allowedValues: ["keep"] + SourceAction.Kind.afterSuccess.map(\.rawValue),
            help: "What becomes of a source whose output stands"),
        OptionSpecification(
            name: "done", valueName: "DIR", completion: .directory,
            help: "Folder for --after move; default: 'done' inside the watched folder"),
        OptionSpecification(
            name: "after-failure", valueName: "WORD", defaultValue: "keep",
            allowedValues: ["keep", "move"],
            help: "What becomes of a source whose job failed permanently"),
        OptionSpecification(
            name: "failed", valueName: "DIR", completion: .directory,
            help: "Folder for --after-failure move; default: 'failed' inside the watched folder"),
        OptionSpecification(
            name: "attributes", valueName: "WORD", defaultValue: "source",
            allowedValues: ["source", "own"],
            help: "Whose rights, owner and time outputs have"),
        OptionSpecification(
            name: "only-smaller",
            help: "Give an output only when it is smaller than its source; skip the file else"),
        OptionSpecification(
            name: "stable", valueName: "TIME", accepts: { seconds($0) != nil },
            help: "How long a file must stand still; default 10s, 30s on a network file system"),
        OptionSpecification(
            name: "scan", valueName: "TIME", accepts: { seconds($0) != nil },
            help: "Between two scans of everything; by itself 10s to 5m, as events and size ask"),
        OptionSpecification(
            name: "changes", valueName: "WORD", defaultValue: "automatic",
            allowedValues: WatchMode.Setting.allCases.map(\.rawValue),
            help: "How changes are noticed"),
        OptionSpecification(
            name: "marker", valueName: "WORD", defaultValue: "none", accepts: { marker($0) != nil },
            help: "What says that a file is whole: none, or a suffix such as .done"),
        OptionSpecification(
            name: "min-size", valueName: "SIZE",
            accepts: { ByteSize(parsing: $0) != nil },
            help: "Smaller files are skipped, such as samples"),
        OptionSpecification(
            name: "exclude", valueName: "PATTERN", isRepeatable: true,
            help: "Files to leave alone, as a line of .gitignore says it"),
        OptionSpecification(
            name: "on-preset-change", valueName: "WORD", defaultValue: "export",
            allowedValues: ["export", "ignore"],
            help: "What becomes of files that were done with another preset or output"),
        OptionSpecification(
            name: "anchor", valueName: "NAME",
            help: "A name in the folder without which its disk counts as missing"),
    ]

    /// What says what the command does, and not how folders are watched.
    static let actions = [
        OptionSpecification(
            name: "once",
            help: "End when everything that is there is done; with 3 when some of it failed"),
        OptionSpecification(
            name: "explain", valueName: "PATH", completion: .file,
            help: "Say why a file was taken or not, by DIR or as its folder was watched last; end"),
        OptionSpecification(
            name: "reprocess", valueName: "PATH", isRepeatable: true, completion: .file,
            help: "Have a file made again, by the daemon that runs or the next one, and end"),
        OptionSpecification(
            name: "accept-output", valueName: "DIR", completion: .directory,
            help:
                "Take a folder for outputs as it is from now on, though its disk seemed missing; end"
        ),
    ]

    /// Absolute; nil for the cache alone.
    let output: String?
    /// nil keeps sources.
    let after: SourceAction.Kind?
    /// Absolute; nil for `done` in the watched folder.
    let done: String?
    /// Absolute; nil for `failed` in the watched folder.
    let failed: String?
    let setsFailedAside: Bool
    /// Whether outputs have the rights, owner and time of their sources.
    let keepsTraits: Bool
    let onlySmaller: Bool
    let excluded: [String]
    /// Smaller files are skipped.
    let minBytes: Int64
    /// nil for the tree's own names.
    let name: OutputTemplate?
    let settings: FolderSettings

    init(_ input: CommandInput) throws(UsageError) {
        (output, done) = (input.value("output"), input.value("done"))
        failed = input.value("failed")
        setsFailedAside = input.value("after-failure") == "move"
        keepsTraits = input.value("attributes") != "own"
        onlySmaller = input.isOn("only-smaller")
        after = try input.parsed("after", as: "keep, move, trash, delete or replace", Self.after)
            .flatMap(\.self)
        excluded = input.values("exclude")
        minBytes =
            try input.parsed("min-size", as: "a size such as 50MB") {
                ByteSize(parsing: $0)?.bytes
            } ?? 0
        name = try input.value("name").map { text throws(UsageError) in
            try Self.template(text, input.path)
        }
        var settings = FolderSettings()
        settings.stableSeconds = try input.parsed("stable", as: "a time such as 10s", Self.seconds)
        if let seconds = try input.parsed("scan", as: "a time such as 60s", Self.seconds) {
            settings.intervals.reconciling = seconds
            settings.intervals.polling = seconds
            settings.intervals.pollingNetwork = seconds
            settings.intervals.isFixed = true
        }
        settings.mode =
            try input.parsed("changes", as: "automatic, events or polling") {
                WatchMode.Setting(rawValue: $0)
            } ?? .automatic
        settings.marker =
            try input.parsed("marker", as: "none or a suffix such as .done", Self.marker)
            ?? .none
        settings.onWorkChange =
            try input.parsed("on-preset-change", as: "export or ignore") {
                Recognition.WorkChange(rawValue: $0)
            } ?? .export
        settings.anchor = input.value("anchor")
        self.settings = settings
        // A configuration may name the folder beside folders that do not use it.
        guard !input.isFlag("failed") || setsFailedAside else {
            throw UsageError(
                "--failed goes with --after-failure move", hint: "add --after-failure move",
                path: input.path)
        }
        guard !input.isFlag("done") || after == .move else {
            throw UsageError(
                "--done goes with --after move", hint: "add --after move", path: input.path)
        }
    }

    private static func template(
        _ text: String, _ path: [String]
    ) throws(UsageError) -> OutputTemplate {
        do throws(WatchError) {
            return try OutputTemplate(text)
        } catch {
            throw UsageError(
                Failure(error).message, hint: "write one such as {folder}/{stem}.mp4", path: path)
        }
    }

    /// - Returns: nil for a word that is none; the inner nil is `keep`.
    private static func after(_ word: String) -> SourceAction.Kind?? {
        if word == "keep" { return .some(nil) }
        return SourceAction.Kind.afterSuccess.first { $0.rawValue == word }.map { .some($0) }
    }

    private static func seconds(_ text: String) -> Double? {
        DurationText(parsing: text)?.seconds.flatMap { $0 > 0 ? $0 : nil }
    }

    private static func marker(_ text: String) -> ReadyMarker? {
        try? ReadyMarker(setting: text)
    }
}
