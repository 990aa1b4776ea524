internal import Foundation
package import TakeupFiles
package import TakeupModel

/// The files of one export, which nobody sees before they are published.
package struct OutputFiles {
    package let output: PartialFile
    /// nil where none was asked for, or nothing is shown.
    package let poster: PartialFile?

    /// Makes the files, once nothing speaks against the export.
    ///
    /// - Parameters:
    ///   - destination: Where the output gets its name; nil for one that is sent elsewhere from the folder of temporary
    ///     files.
    ///   - plan: What they have to hold.
    ///   - settings: Where the poster goes.
    /// - Throws: `ExportError` with `.outputNotCreated`, `.outputNotPermitted` or `.diskFull` for the place.
    package init(
        for destination: String?, _ plan: ExportPlan, _ settings: ExportSettings
    ) throws(ExportError) {
        let place =
            destination ?? FileManager.default.temporaryDirectory.appending(path: "takeup").path
        output = try Self.make(place, mode: destination == nil ? 0o600 : 0o644)
        poster =
            try plan.video == nil
            ? nil
            : settings.posterPath.map { (path) throws(ExportError) in try Self.make(path) }
        if let room = Self.room(place), room < plan.leastBytes { throw .diskFull(place) }
    }

    /// Gives the files their names, the output first.
    ///
    /// - Parameters:
    ///   - overwrite: What becomes of files that have the names.
    ///   - report: What was written; gets the names, and the warnings about them.
    /// - Throws: `ExportError`; the output has no name then.
    package func publish(
        _ overwrite: ExportSettings.Overwrite, _ report: inout ExportReport
    ) throws(ExportError) {
        let published = try ExportError.files { () throws(FileError) in
            try output.publish(overwrite.ofFile)
        }
        report.output = published.path
        report.warnings += [published.warning].compactMap(\.self)
        publishPoster(overwrite, &report)
    }

    /// Gives the poster its name.
    ///
    /// The video stands by now: that the poster does not is no failure of the export.
    package func publishPoster(
        _ overwrite: ExportSettings.Overwrite, _ report: inout ExportReport
    ) {
        report.poster = nil
        guard let poster else { return }
        do throws(FileError) {
            let published = try poster.publish(overwrite.ofFile)
            report.poster = published.path
            report.warnings += [published.warning].compactMap(\.self)
        } catch {
            let reason = if case .exists = error { "the name is taken" } else { error.reason }
            report.warnings.append(
                ExportWarning(
                    code: "posterNotWritten",
                    message: "the poster \(poster.destination) was not written: \(reason)"))
        }
    }

    /// Free bytes where a file is to be; nil where the system does not tell.
    static func room(_ path: String) -> Int64? {
        FreeSpace.usable(at: Folder.containing(path))
    }

    private static func make(
        _ path: String, mode: UInt32 = 0o644
    ) throws(ExportError) -> PartialFile {
        try ExportError.files { () throws(FileError) in try PartialFile(for: path, mode: mode) }
    }
}

extension ExportForecast {
    /// Asks of the output's place what an export asks before it renders; leaves nothing behind.
    ///
    /// - Parameters:
    ///   - plan: What would be rendered.
    ///   - destination: nil when no file is wanted.
    ///   - makesFolder: Whether its folder is made when it is missing: then the one above it has to take files.
    ///   - settings: How the output may be named.
    /// - Throws: `ExportError`, as the export would.
    package init(
        _ plan: ExportPlan, to destination: String?, makesFolder: Bool,
        _ settings: ExportSettings
    ) throws(ExportError) {
        self.init(plan: plan, output: destination)
        guard let destination else { return }
        let folder = Folder.containing(destination)
        if makesFolder, access(folder, F_OK) != 0 {
            do throws(FileError) {
                try WritableFolder.require(folder)
            } catch {
                throw .outputNotCreated(destination, reason: error.reason)
            }
        } else {
            _ = try OutputFiles(for: destination, plan, settings)
        }
        if settings.overwrite == .unique {
            guard let free = PartialFile.freeName(for: destination) else {
                throw .outputExists(destination)
            }
            output = free
        }
        if let size = plan.expectedSize, let room = OutputFiles.room(destination),
            room < size.bytes
        {
            self.plan.warnings.append(
                ExportWarning(
                    code: "littleRoom",
                    message: "the output may not fit: \(room) bytes are free, "
                        + "about \(size.bytes) are expected"))
        }
    }
}
