/// What a scan has come to.
///
/// Paths go from the root on; the root's own is empty.
public enum ScanFinding: Sendable, Equatable {
    case file(path: String, FileMark)
    /// A folder that is now read: it is told before anything in it, so that who arms events for it misses nothing.
    ///
    /// The descriptor is open during the call alone. `startsFileSystem` is true when another disk than around it is
    /// mounted there: a folder of that path without it later is the bare place of a disk that is missing.
    case folder(path: String, descriptor: Int32, startsFileSystem: Bool)
    /// The path of a name that is not UTF-8 is repaired and cannot be opened.
    case passedOver(path: String, PassedOver)
    /// A folder that was not read, or not to its end, or a name that could not be looked at: nothing follows for what
    /// was known there.
    case unreadable(path: String, errno: Int32)
}
