import Foundation
import TakeupFiles
import TakeupIngest
import TakeupIntake
import TakeupModel
import TakeupWatch

extension WatchRequest {
    /// Reads the options of one watched folder.
    ///
    /// - Parameters:
    ///   - folder: The path from the command line or the configuration.
    ///   - input: With settings of every option of `WatchCommand.folderOptions`.
    ///   - rules: Of the configuration.
    ///   - mayBeMissing: Whether its disk may be mounted later.
    ///   - context: Where relative paths start.
    /// - Throws: With 66 for a folder that is not there, and 78 for what cannot be used.
    init(
        _ folder: String, _ input: CommandInput, _ rules: [WatchRule], mayBeMissing: Bool,
        in context: CommandContext
    ) throws(Failure) {
        let path = context.absolute(folder)
        try Self.check(path, mayBeMissing: mayBeMissing)
        let watch: WatchOptions
        let excluded: IgnoreFile
        do {
            watch = try WatchOptions(input)
            excluded = try IgnoreFile(lines: watch.excluded, of: "--exclude")
        } catch let error as UsageError {
            throw Failure(error)
        } catch {
            throw Failure(of: error)
        }
        if let output = watch.output {
            try OutputPath.requireLocal(output, "outputs of watched files")
        }
        try self.init(
            path, output: watch.output.map(context.absolute),
            done: watch.done.map(context.absolute), failed: watch.failed.map(context.absolute),
            watch.settings, excluding: excluded, FolderPolicy(input, rules, in: context),
            note: FolderNote(input, in: context).text)
    }
}

extension FolderPolicy {
    /// Reads the options about files.
    ///
    /// - Parameters:
    ///   - input: With settings of every option of `WatchCommand.folderOptions`.
    ///   - rules: The first that holds for a file decides.
    ///   - skip: Why nothing is taken.
    ///   - context: Where relative paths start.
    /// - Throws: For a value that cannot be used.
    init(
        _ input: CommandInput, _ rules: [WatchRule], skip: String? = nil,
        in context: CommandContext
    ) throws(Failure) {
        let placed = rules.map { rule in
            var rule = rule
            rule.result.preset = rule.result.preset.map(context.presetPlace)
            return rule
        }
        do {
            let watch = try WatchOptions(input)
            try self.init(JobOptions(input).batchOptions(in: context), placed) {
                (path, root) throws(WatchError) in
                try FolderFile.read(path, below: root)?
                    .inside(input, placed, skip: skip, in: context)
            }
            (name, after, setsFailedAside) = (watch.name, watch.after, watch.setsFailedAside)
            (keepsTraits, onlySmaller) = (watch.keepsTraits, watch.onlySmaller)
            (minBytes, self.skip) = (watch.minBytes, skip)
        } catch let error as UsageError {
            throw Failure(error)
        } catch {
            throw Failure(of: error)
        }
    }
}
