package import TakeupFiles
package import TakeupModel

extension PublishedFile {
    /// Set when the disk may not have taken the name yet.
    package var warning: ExportWarning? {
        nameLossReason.map {
            ExportWarning(
                code: "nameNotSynchronized",
                message: "\(path) is complete, but its name may be lost if the machine fails now: "
                    + $0)
        }
    }
}

extension ExportSettings.Overwrite {
    /// The same, for a file.
    package var ofFile: PartialFile.Overwrite {
        switch self {
        case .fail: .fail
        case .replace: .replace
        case .unique: .unique
        }
    }
}
