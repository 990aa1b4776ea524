public import TakeupFiles
public import TakeupSQLite

/// Why a folder cannot be watched, or a part of it cannot be read.
public enum WatchError: Error, Equatable, Sendable {
    /// The system refused a call; `path` is what it was about.
    case failed(path: String, errno: Int32)
    /// The system watches no more folders for this user (`fs.inotify.max_user_watches`, `max_user_instances`).
    case watchLimit(path: String)
    /// The folder is not there now, as when its disk is not mounted; nothing follows for the files in it.
    case unavailable(path: String, reason: String)
    /// A file could not be made, filled or given its name.
    case file(FileError)
    /// The database refused something.
    case store(SQLiteError)
    /// A setting's text says nothing that can be used.
    case unreadable(setting: String, reason: String)
}

extension WatchError {
    /// A folder that could not be opened is named.
    init(_ error: FileError) {
        switch error {
        case .failed(let path, let errno), .notCreated(let path, let errno):
            self = .failed(path: path, errno: errno)
        case .exists, .notPermitted, .diskFull: self = .file(error)
        }
    }
}
