package import TakeupIntake
package import TakeupModel
package import TakeupWatch

/// Says what is made of the files of a watched folder, or of a folder inside it, and what becomes of their sources.
package struct FolderPolicy: Sendable {
    /// Reads the settings file of an inner folder: its path from the watched folder on, and the watched folder.
    ///
    /// Returns nil where there is no such file.
    package typealias Inner =
        @Sendable (_ path: String, _ root: String) throws(WatchError) -> FolderPolicy?

    /// Preset and settings where no rule says otherwise.
    package var options: BatchOptions
    /// Names outputs; nil keeps the tree's own names.
    package var name: OutputTemplate?
    /// What becomes of a source whose output is complete; nil keeps it.
    package var after: SourceAction.Kind?
    /// Whether sources of failed jobs are moved away.
    package var setsFailedAside = false
    /// Whether outputs get the rights, owner and time of their sources.
    package var keepsTraits = true
    /// Whether an output is kept only if it is smaller than its source.
    package var onlySmaller = false
    /// Smaller files are skipped.
    package var minBytes: Int64 = 0
    /// Why no file is taken; nil where files are taken.
    package var skip: String?
    /// The first rule that holds for a file decides.
    package private(set) var rules: WatchRules
    package let inner: Inner

    /// - Parameters:
    ///   - options: As above.
    ///   - rules: Their presets are names, or absolute paths.
    ///   - inner: As above.
    /// - Throws: For rules that contradict themselves.
    package init(
        _ options: BatchOptions, _ rules: [WatchRule], inner: @escaping Inner
    ) throws(WatchError) {
        (self.options, self.inner) = (options, inner)
        self.rules = try WatchRules(rules)
    }

    /// Whether sources are moved, removed or replaced.
    package var acts: Bool { after != nil || setsFailedAside }

    /// Whether a file is probed before its rules are asked.
    package var needsMedia: Bool { rules.needsMedia }

    /// Refuses rules with unusable presets, and sources that would go although their outputs may go, too.
    ///
    /// - Parameter hasOutput: Whether outputs get names of their own, besides the cache.
    /// - Throws: With 64, 66 or 78.
    package func check(hasOutput: Bool) throws(Failure) {
        for rule in rules.rules { try check(rule) }
        try checkSources(hasOutput: hasOutput)
    }

    private func check(_ rule: WatchRule) throws(Failure) {
        let changes = try rule.result.presetChanges.map { (text) throws(Failure) in
            guard let change = PresetChange(parsing: text) else {
                throw .watch(
                    .configuration, "a rule's set cannot be '\(text)'",
                    hint: "write KEY=VALUE, such as video.crf=20")
            }
            return change
        }
        guard rule.result.preset != nil || !changes.isEmpty else { return }
        do throws(PresetError) {
            _ = try ExportPreset.resolve(
                rule.result.preset ?? options.preset, in: options.presetFolder
            ).setting(options.presetChanges + changes)
        } catch {
            throw Failure(error)
        }
    }

    private func checkSources(hasOutput: Bool) throws(Failure) {
        if onlySmaller, !hasOutput, after != .replace {
            throw .watch(
                .usage, "only-smaller needs an output folder, or after replace",
                hint: "in the cache every result is kept for its time")
        }
        guard let after else { return }
        if !hasOutput, after != .replace {
            throw .watch(
                .usage, "after \(after.rawValue) needs an output folder",
                hint: "the cache forgets results in time, and the source would be gone")
        }
        if options.settings.verification == .none {
            throw .watch(
                .usage, "after \(after.rawValue) does not go with verify none",
                hint: "a source goes only for an output that was verified")
        }
        if options.settings.timeRange != nil, after != .move {
            throw .watch(
                .usage, "after \(after.rawValue) does not go with a part of each file",
                hint: "what is not in the output would be lost: use after move, or keep")
        }
        if options.settings.overwrite == .replace {
            throw .watch(
                .usage, "after \(after.rawValue) does not go with overwrite replace",
                hint: "one output could take another one's place, with both sources gone")
        }
    }
}
