import TakeupFiles
import TakeupIntake
import TakeupModel
import TakeupOutput

/// Writes the composition for editing programs instead of media.
extension ExportCommand {
    /// Whether the output is a timeline.
    var writesTimeline: Bool {
        TimelineFile.isOne(arguments.output)
    }

    /// Writes the timeline; opens no source.
    ///
    /// - Parameters:
    ///   - inputs: The timelines that it was read of, which it never replaces.
    ///   - context: Of the command.
    /// - Returns: Success.
    /// - Throws: When the timeline cannot be said so, an option asks for media, or the file cannot be written.
    func writeTimeline(of inputs: [String], in context: CommandContext) throws(Failure) -> ExitCode
    {
        var plain = ExportSettings()
        plain.overwrite = arguments.settings.overwrite
        var asked = arguments.settings
        (asked.onTruncated, asked.verification) = (plain.onTruncated, plain.verification)
        guard asked == plain, arguments.presetChanges.isEmpty, !arguments.isDryRun else {
            throw Failure(
                UsageError(
                    "a timeline takes no options but --overwrite: \(arguments.output)",
                    hint: "leave out the others, or let the output end in .mp4", path: ["export"]))
        }
        try OutputPath.requireLocal(arguments.output, "a timeline")
        let path = context.absolute(arguments.output)
        if arguments.settings.overwrite != .unique {
            try OutputPath.check(path, isNoneOf: inputs.map(context.absolute))
        }
        let composition = arguments.composition.renamingSources(context.absolute)
        let text: String
        do throws(BatchListError) {
            text = try TimelineFile.text(of: composition, at: path)
        } catch {
            throw Failure(error)
        }
        let policy: PartialFile.Overwrite =
            switch arguments.settings.overwrite {
            case .fail: .fail
            case .replace: .replace
            case .unique: .unique
            }
        do throws(FileError) {
            let file = try PartialFile(for: path)
            try file.write(Array(text.utf8))
            try file.synchronize()
            let published = try file.publish(policy)
            for warning in omitted { Console(context, style).warning(warning.message) }
            if style.isJSON {
                context.print([
                    "type": "finished", "status": "succeeded", "output": .text(published.path),
                ])
            } else if !style.isQuiet {
                context.print(published.path.escaped)
            }
            return .success
        } catch {
            throw Failure(ExportError(error))
        }
    }
}
