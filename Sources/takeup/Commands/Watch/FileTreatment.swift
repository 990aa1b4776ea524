import TakeupModel
import TakeupIntake
import TakeupWatch

/// What is made of the files of a watched folder, or of one inside it, and what becomes of them.
struct FileTreatment: Sendable {
    /// With the settings that led to it.
    let input: CommandInput
    /// Holds where no rule says otherwise.
    let options: BatchOptions
    /// nil for the tree's own names.
    let name: OutputTemplate?
    /// nil keeps sources.
    let after: SourceAction.Kind?
    let setsFailedAside: Bool
    /// Whether outputs have the rights, owner and time of their sources.
    let keepsTraits: Bool
    /// Whether an output is given only when it is smaller than its source.
    let onlySmaller: Bool
    /// Smaller files are skipped.
    let minBytes: Int64
    /// Why nothing is taken; nil where files are.
    let skip: String?
    let rules: WatchRules

    /// - Parameters:
    ///   - input: With settings of every option of `WatchCommand.folderOptions`.
    ///   - rules: The first that holds for a file decides.
    ///   - skip: Why nothing is taken.
    ///   - context: Where relative paths start.
    /// - Throws: For a value that cannot be used, and sources that would go for outputs that may go too.
    init(
        _ input: CommandInput, _ rules: [WatchRule], skip: String? = nil,
        in context: CommandContext
    ) throws(Failure) {
        (self.input, self.skip) = (input, skip)
        do throws(WatchError) {
            self.rules = try WatchRules(rules)
        } catch {
            throw Failure(error)
        }
        let watch: WatchOptions
        let jobs: JobOptions
        do throws(UsageError) {
            watch = try WatchOptions(input)
            jobs = try JobOptions(input)
        } catch {
            throw Failure(error)
        }
        options = try jobs.batchOptions(in: context)
        (name, after, setsFailedAside) = (watch.name, watch.after, watch.setsFailedAside)
        (keepsTraits, onlySmaller) = (watch.keepsTraits, watch.onlySmaller)
        minBytes = watch.minBytes
        for rule in rules { try Self.check(rule, options, in: context) }
        try checkSources(hasOutput: watch.output != nil)
    }

    /// Whether a file has to be looked into before its rules are asked.
    var needsMedia: Bool { rules.needsMedia }

    private static func check(
        _ rule: WatchRule, _ options: BatchOptions, in context: CommandContext
    ) throws(Failure) {
        let changes = try rule.result.presetChanges.map { (text) throws(Failure) in
            guard let change = PresetChange(parsing: text) else {
                throw .watch(
                    .configuration, "a rule's set cannot be '\(text)'",
                    hint: "write KEY=VALUE, such as video.crf=20")
            }
            return change
        }
        guard rule.result.preset != nil || !changes.isEmpty else { return }
        let preset = try context.preset(rule.result.preset ?? options.preset)
        do throws(PresetError) {
            _ = try preset.setting(options.presetChanges + changes)
        } catch {
            throw Failure(error)
        }
    }

    /// Refuses to let sources go for outputs that may go, too.
    private func checkSources(hasOutput: Bool) throws(Failure) {
        if onlySmaller, !hasOutput, after != .replace {
            throw .watch(
                .usage, "--only-smaller needs --output or --after replace",
                hint: "in the cache every result is kept for its time")
        }
        guard let after else { return }
        if !hasOutput, after != .replace {
            throw .watch(
                .usage, "--after \(after.rawValue) needs --output",
                hint: "the cache forgets results in time, and the source would be gone")
        }
        if options.settings.verification == .none {
            throw .watch(
                .usage, "--after \(after.rawValue) does not go with --verify none",
                hint: "a source goes only for an output that was verified")
        }
        if options.settings.timeRange != nil, after != .move {
            throw .watch(
                .usage, "--after \(after.rawValue) does not go with a part of each file",
                hint: "what is not in the output would be lost: use --after move, or keep")
        }
        if options.settings.overwrite == .replace {
            throw .watch(
                .usage, "--after \(after.rawValue) does not go with --overwrite replace",
                hint: "one output could take another one's place, with both sources gone")
        }
    }
}
