internal import Foundation
public import TakeupFiles
public import TakeupSQL

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
    case store(SQLError)
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

extension WatchError: CustomStringConvertible {
    /// For people.
    public var description: String {
        switch self {
        case .failed(let path, _): "\(path): \(reason)"
        case .watchLimit(let path): "\(reason): \(path)"
        case .unavailable(let path, _): "\(path) is not there: \(reason)"
        // Its path may lead through a descriptor, which tells nobody anything.
        case .file, .store: reason
        case .unreadable(let setting, _): "\(setting) cannot be used: \(reason)"
        }
    }

    /// Why, where what it is about was said before.
    public var reason: String {
        switch self {
        case .failed(_, let errno): String(cString: strerror(errno))
        case .watchLimit: "the system watches no more folders"
        case .unavailable(_, let reason), .unreadable(_, let reason): reason
        case .file(let error): error.reason
        case .store(let error): "\(error)"
        }
    }

    /// For people who were told of a file before, from the watched folder on.
    public func description(of path: String) -> String {
        if case .failed(path, _) = self { reason } else { description }
    }
}
