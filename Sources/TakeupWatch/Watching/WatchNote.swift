/// What a watcher has to say, once each.
public enum WatchNote: Sendable, Equatable {
    /// How changes are noticed from now on.
    case mode(WatchMode)
    /// The folder is not there now; nothing follows for its files.
    case unavailable(reason: String)
    case available
    /// Everything was looked at; without `isWhole` some folder could not be read.
    case scanned(ScanResult, seconds: Double)
    /// A name that is no file or folder to be read.
    case passedOver(path: String, reason: String)
    case unreadable(path: String, errno: Int32)
    /// A folder from which nothing is taken, whichever path leads to it.
    case notEntered(path: String, reason: String)
    /// A job is to make something of a file.
    case handed(WatchedFile)
    /// Nothing is made of a file, by a rule.
    case skipped(WatchedFile)
    case moved(from: String, to: String)
    /// A file that is whole could not be taken; it is looked at again later.
    case postponed(path: String, WatchError)
}
