internal import Foundation
internal import TakeupFiles

extension ExportRun {
    /// Asks all that `perform(to:)` asks before it renders; leaves nothing behind.
    ///
    /// - Parameters:
    ///   - destination: nil when no file is wanted.
    ///   - makesFolder: Whether its folder is made when it is missing.
    /// - Returns: The plan, and the name that the file would get.
    /// - Throws: `ExportError`, as `perform(to:)` does.
    func forecast(
        to destination: String?, makesFolder: Bool
    ) throws(ExportError) -> ExportForecast {
        var forecast = ExportForecast(plan: plan, output: destination)
        if let warning = limitWarning { forecast.plan.warnings.append(warning) }
        guard let destination else {
            try refuseBeforehand()
            return forecast
        }
        let folder = Folder.containing(destination)
        if makesFolder, access(folder, F_OK) != 0 {
            try refuseBeforehand()
            do throws(FileError) {
                try WritableFolder.require(folder)
            } catch {
                throw .outputNotCreated(destination, reason: error.reason)
            }
        } else {
            _ = try prepare(destination)
        }
        if settings.overwrite == .unique {
            guard let free = PartialFile.freeName(for: destination) else {
                throw .outputExists(destination)
            }
            forecast.output = free
        }
        if let size = plan.expectedSize, let room = Self.room(destination), room < size.bytes {
            forecast.plan.warnings.append(
                ExportWarning(
                    code: "littleRoom",
                    message: "the output may not fit: \(room) bytes are free, "
                        + "about \(size.bytes) are expected"))
        }
        return forecast
    }

    /// Whether only pictures and sound that take next to nothing fit, which rendering alone can tell.
    private var limitWarning: ExportWarning? {
        guard let limit = plan.sizeLimit, case .encode(let encoding)? = plan.video?.mode
        else { return nil }
        let sound = plan.tracks.filter { $0.type == .audio }.compactMap(\.bytes).reduce(0, +)
        let least = SizeLimitedRun.usual(plan, encoding, sound: ExportPlan.whole(sound))
        guard least > limit else { return nil }
        return ExportWarning(
            code: "limitTooLow",
            message: "the output will hardly fit into \(limit) bytes: at the lowest bit rates it "
                + "takes about \(least)")
    }

    /// Makes the files that nobody sees yet, once nothing speaks against the export.
    ///
    /// - Throws: `.sourceIncomplete`; `.sizeLimitTooLow`; `.outputNotCreated`, `.outputNotPermitted` or `.diskFull` for the place.
    func prepare(
        _ destination: String
    ) throws(ExportError) -> (output: PartialFile, poster: PartialFile?) {
        try refuseBeforehand()
        let output = try makeFile(destination)
        let poster = try plan.video == nil ? nil : settings.posterPath.map(makeFile)
        if let room = Self.room(destination), room < plan.leastBytes {
            throw .diskFull(destination)
        }
        return (output, poster)
    }

    /// Free bytes where a file is to be; nil where the system does not tell.
    private static func room(_ path: String) -> Int64? {
        FreeSpace.usable(at: Folder.containing(path))
    }

    private func makeFile(_ path: String) throws(ExportError) -> PartialFile {
        try ExportError.files { () throws(FileError) in try PartialFile(for: path) }
    }
}
