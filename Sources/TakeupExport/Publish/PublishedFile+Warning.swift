internal import TakeupFiles

extension PublishedFile {
    /// Set when the disk may not have taken the name yet.
    var warning: ExportWarning? {
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
    var ofFile: PartialFile.Overwrite {
        switch self {
        case .fail: .fail
        case .replace: .replace
        case .unique: .unique
        }
    }
}
