public import TakeupModel
public import TakeupSQL

/// Why the cache could not do what it was asked.
public enum CacheError: Error, Equatable, Sendable {
    /// The manifest's database failed.
    case store(SQLError)
    /// The directory belongs to another database.
    case foreign(path: String, owner: String)
    /// The directory is not the one that the database's results are in, or is it no more; `lastPath` is where that was
    /// seen last.
    case notKnown(path: String, FolderDoubt, lastPath: String?)
    /// The directory was removed or replaced, or its disk is away, while it was open.
    case gone(path: String)
    /// The directory cannot be trusted with files, or is no cache.
    case unsafe(path: String, reason: String)
    /// Locks cannot be trusted there.
    case sharedFileSystem(path: String, kind: String)
    /// The directory cannot be written to.
    case notWritable(path: String, errno: Int32)
    case diskFull(path: String)
    /// Somebody has kept a lock on it for longer than anybody should.
    case locked(path: String)
    /// A call to the file system failed.
    case file(operation: String, path: String, errno: Int32)
    /// A store of objects elsewhere did not do what it was asked.
    case objects(Failure)
    /// The beginning of a key fits several entries.
    case ambiguous(name: String)
}
