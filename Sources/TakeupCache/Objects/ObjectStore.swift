internal import Foundation
internal import TakeupDigest
public import TakeupFiles

/// Keeps the files of results, each under a name that says its content.
///
/// Which files are wanted says the manifest: a call that removes something asks for that while nobody else can change
/// it. Any number of processes may share a store. Calls block and may come from any lane.
public protocol ObjectStore: Sendable {
    /// What it is called in messages: its folder or its address.
    var name: String { get }
    /// The folder of this machine whose disk has to have room.
    var path: String { get }
    /// Whether nothing in it can be changed.
    var isReadOnly: Bool { get }

    /// Sees that the store is still where it was opened: what is not there then is not gone.
    ///
    /// - Throws: `CacheError.gone`.
    func requirePlace() throws(CacheError)

    /// The same store, whose requests to another machine `isStopped` ends with `CacheError.objects`; it is asked
    /// several times a second.
    func stopping(_ isStopped: @escaping @Sendable () -> Bool) -> any ObjectStore

    /// Where an object is, or would be.
    func path(of object: ObjectName) -> String

    /// Free space, in bytes, for a user without privileges.
    func freeBytes() throws(CacheError) -> Int64

    /// Makes an empty file that nobody sees, to be filled and placed.
    func stage() throws(CacheError) -> PartialFile

    /// Gives a complete staged file its name, and holds it.
    ///
    /// A good file that has the name already is taken instead; anything else there is moved out of the way.
    ///
    /// - Parameters:
    ///   - staged: Complete; of no more use afterwards.
    ///   - object: Its name: the hash of its content.
    ///   - isRecorded: Whether a row says that such a file of that size is there; without one it is hashed again.
    /// - Throws: `CacheError` with `.diskFull`, `.notWritable` or `.file`.
    /// - Returns: The file. Keep it until its row is there: it may go as soon as nobody holds it.
    func place(
        _ staged: PartialFile, as object: ObjectName, isRecorded: Bool
    ) throws(CacheError) -> ObjectFile

    /// Whether an object is there with the content that its name says; asked where it is kept, not of a copy.
    func holds(_ object: ObjectName, bytes: Int64) throws(CacheError) -> Bool

    /// Takes a whole file of another store under its name, and sees that it has arrived.
    func take(_ file: ObjectFile) throws(CacheError)

    /// Opens a file and holds it; `bytes` is the size that it must have, nil any.
    func open(_ object: ObjectName, bytes: Int64?) throws(CacheError) -> ObjectOpening

    /// Opens an object itself where `open` may give a copy of it, for those who check it.
    func openOriginal(_ object: ObjectName, bytes: Int64?) throws(CacheError) -> ObjectOpening

    /// Whether a file's content is what its name says.
    func isWhole(_ file: ObjectFile) throws(CacheError) -> Bool

    /// Gives a file that was set aside its name back, where a row names it and no file has it.
    ///
    /// - Parameters:
    ///   - object: Its name.
    ///   - bytes: The size that the row says.
    /// - Returns: Whether it was there.
    /// - Throws: `CacheError`.
    func bringBack(_ object: ObjectName, bytes: Int64) throws(CacheError) -> Bool

    /// The size of an object, nil for none; asks without waiting for anybody.
    func size(of object: ObjectName) throws(CacheError) -> Int64?

    /// Sees that a placed object is there now that a row names it, and puts it back if somebody was removing it.
    func confirm(_ file: ObjectFile) throws(CacheError)

    /// Frees space of this machine that holds only copies, until so much is free; does nothing without copies.
    func freeCopies(bytes: Int64) throws(CacheError)

    /// An address that permits to read an object to whoever has it.
    ///
    /// - Parameters:
    ///   - object: Its name.
    ///   - seconds: How long, at least 1.
    /// - Returns: nil for a store whose objects have no address.
    /// - Throws: `CacheError`.
    func address(of object: ObjectName, seconds: Int) throws(CacheError) -> String?

    /// Tells `body` the size of an object, nil for none or for no file, while nobody gives or takes its name.
    func withSize<Value>(
        of object: ObjectName, _ body: (Int64?) throws(CacheError) -> Value
    ) throws(CacheError) -> Value

    /// Removes a file that nobody holds and no row names.
    ///
    /// - Parameters:
    ///   - object: Its name.
    ///   - disposal: What becomes of it.
    ///   - decide: Asked once nobody else can hold it; `false` keeps it.
    ///   - isClaimed: Whether a row names it, asked while nobody can record it.
    /// - Throws: `CacheError`, also what the closures throw.
    /// - Returns: What became of it.
    func remove(
        _ object: ObjectName, _ disposal: ObjectDisposal, if decide: () throws(CacheError) -> Bool,
        unless isClaimed: () throws(CacheError) -> Bool
    ) throws(CacheError) -> ObjectRemoval

    /// Gives up a file that was placed; it goes when nobody else holds it and no row names it.
    func discard(
        _ file: ObjectFile, unless isClaimed: () throws(CacheError) -> Bool
    ) throws(CacheError)

    /// Takes the name from a file with wrong content, and calls `drop` where it did; who reads it goes on.
    func setAside(_ file: ObjectFile, _ drop: () throws(CacheError) -> Void) throws(CacheError)

    /// Moves out of the way what has an object's name and is no file.
    func clear(_ object: ObjectName) throws(CacheError)

    /// Whether removing an object makes room: not where its blocks have another name as well.
    func freesSpace(_ object: ObjectName) throws(CacheError) -> Bool

    /// How many files were set aside because no row names them, and their bytes.
    func orphanSizes() throws(CacheError) -> (count: Int, bytes: Int64)

    /// Repairs differences between rows and files, as after a crash. Other processes may read and write during the repair.
    func reconcile(with manifest: Manifest) throws(CacheError) -> Reconciliation
}

extension ObjectStore {
    public var name: String { path }

    public func size(of object: ObjectName) throws(CacheError) -> Int64? {
        try withSize(of: object) { (bytes) throws(CacheError) in bytes }
    }

    public func openOriginal(
        _ object: ObjectName, bytes: Int64?
    ) throws(CacheError) -> ObjectOpening {
        try open(object, bytes: bytes)
    }

    public func holds(_ object: ObjectName, bytes: Int64) throws(CacheError) -> Bool {
        guard case .found(let file) = try open(object, bytes: bytes) else { return false }
        return try isWhole(file)
    }

    public func take(_ file: ObjectFile) throws(CacheError) {
        let staged = try stage()
        do throws(FileError) {
            _ = try staged.fill(from: file.descriptor)
        } catch {
            throw .failing("copy", file.path, error)
        }
        guard (try? SHA256Digest.ofFile(staged.descriptor) { false }) == file.object.sha256 else {
            throw .file(operation: "copy", path: file.path, errno: EIO)
        }
        _ = try place(staged, as: file.object, isRecorded: false)
    }

    public func stopping(_ isStopped: @escaping @Sendable () -> Bool) -> any ObjectStore { self }

    public func confirm(_ file: ObjectFile) throws(CacheError) {}

    public func freeCopies(bytes: Int64) throws(CacheError) {}

    public func address(of object: ObjectName, seconds: Int) throws(CacheError) -> String? { nil }
}

/// What is found under an object's name.
public enum ObjectOpening: Sendable {
    case found(ObjectFile)
    case missing
    /// A file of another size, or no file at all.
    case damaged
}

/// What becomes of a file that no row names.
public enum ObjectDisposal: Sendable {
    /// For what this process has made, or taken the row from.
    case unlinked
    /// For everything else: somebody may miss it.
    case setAside
}

/// How the removal of a file ended.
public enum ObjectRemoval: Sendable {
    case removed
    /// Somebody holds it.
    case inUse
    /// A row names it, or it was decided to keep it.
    case kept
    /// No file has the name.
    case missing
}
