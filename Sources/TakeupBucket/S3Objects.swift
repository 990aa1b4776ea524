internal import Foundation
public import TakeupCache
internal import TakeupDigest
public import TakeupFiles
internal import TakeupLanes
public import TakeupS3

/// Results in an S3-compatible bucket: `objects/ab/<sha256>.mp4`, `orphans`, `quarantine` and `owner` below a prefix.
///
/// It belongs to one database, as a folder does; any number of machines share it. Files are made on this machine and
/// uploaded when they are complete, and read through copies on this machine. No lock reaches other machines: whoever
/// records a result looks at its object once more, and whoever removes one asks again afterwards. What a race can cost
/// is one result that is made again, never a wrong one.
public final class S3Objects: ObjectStore {
    /// The cache's folder on this machine, whose disk has to have room.
    public let path: String
    public var name: String { "\(place.address)" }
    public let isReadOnly: Bool
    let place: BucketPlace
    let copies: ReadCopies
    private let owner: BucketOwner
    /// Whether the server has let this process delete something.
    let mayDelete: Locked<Bool>
    /// What the bucket's marker said when it was opened; nil in one that is only read and has none.
    private let mark: String?

    /// Opens the cache in a bucket, and makes an unused prefix the cache of a new database.
    ///
    /// - Parameters:
    ///   - client: The way to the server.
    ///   - address: The bucket and the prefix.
    ///   - folder: The cache's folder on this machine; made where it is missing.
    ///   - manifest: The rows of the database that it belongs to.
    ///   - adopting: Takes the prefix as it is, whatever database it belonged to.
    ///   - readOnly: Changes nothing in the bucket.
    ///   - copying: Opens a second place for the same results, as `LocalObjects.init`.
    /// - Throws: `CacheError`, as `LocalObjects.init`; `.objects` for what the server refuses.
    public init(
        _ client: S3Client, _ address: S3Address, folder: String, manifest: Manifest,
        adopting: Bool = false, readOnly: Bool = false, copying: Bool = false
    ) throws(CacheError) {
        (path, isReadOnly, mayDelete) = (folder, readOnly, Locked(false))
        place = BucketPlace(client, address)
        owner = BucketOwner(place: place, manifest: manifest, isAdopting: adopting)
        mark = copying ? try owner.claimCopy() : readOnly ? try owner.check() : try owner.claim()
        copies = try ReadCopies(folder: "\(folder)/copies")
    }

    private init(_ other: S3Objects, _ place: BucketPlace) {
        (path, isReadOnly, mayDelete) = (other.path, other.isReadOnly, other.mayDelete)
        (self.place, copies, mark) = (place, other.copies, other.mark)
        owner = BucketOwner(
            place: place, manifest: other.owner.manifest, isAdopting: other.owner.isAdopting)
    }

    public func stopping(_ isStopped: @escaping @Sendable () -> Bool) -> any ObjectStore {
        S3Objects(self, place.stopping(isStopped))
    }

    /// Sees whether a database may use a prefix, and changes nothing.
    ///
    /// - Throws: `CacheError`, as `init`.
    public static func check(
        _ client: S3Client, _ address: S3Address, for manifest: Manifest
    ) throws(CacheError) {
        let place = BucketPlace(client, address)
        _ = try BucketOwner(place: place, manifest: manifest, isAdopting: false).check()
    }

    public func requirePlace() throws(CacheError) {
        guard access(copies.folder, F_OK) == 0 else { throw .gone(path: path) }
        guard try owner.read() == mark else { throw .gone(path: "\(place.address)") }
    }

    public func path(of object: ObjectName) -> String { "\(place.object(object))" }

    public func freeBytes() throws(CacheError) -> Int64 {
        do throws(FileError) {
            return try FreeSpace.bytes(at: copies.folder)
        } catch {
            throw ReadCopies.failing("measure", path, error)
        }
    }

    public func freeCopies(bytes: Int64) throws(CacheError) {
        let lacking = bytes - (try freeBytes())
        guard lacking > 0 else { return }
        let held = copies.trim()
        copies.trim(to: max(0, held - lacking))
    }

    public func stage() throws(CacheError) -> PartialFile { try copies.stage() }

    public func place(
        _ staged: PartialFile, as object: ObjectName, isRecorded: Bool
    ) throws(CacheError) -> ObjectFile {
        let bytes = staged.byteCount
        var isThere = false
        // Without a row, an old object may be about to be set aside: a new one is not.
        if isRecorded, let facts = try facts(object) {
            isThere = facts.bytes == bytes && facts.sha256 ?? object.sha256 == object.sha256
        }
        if !isThere { try upload(staged.descriptor, bytes, object) }
        let file = try copies.keep(staged, as: object)
        copies.trim()
        return file
    }

    public func confirm(_ file: ObjectFile) throws(CacheError) {
        guard try facts(file.object)?.bytes != file.bytes else { return }
        try upload(file.descriptor, file.bytes, file.object)
    }

    public func holds(_ object: ObjectName, bytes: Int64) throws(CacheError) -> Bool {
        let facts = try facts(object)
        return facts?.bytes == bytes && facts?.sha256 == object.sha256
    }

    public func take(_ file: ObjectFile) throws(CacheError) {
        try upload(file.descriptor, file.bytes, file.object)
    }

    func upload(
        _ descriptor: Int32, _ bytes: Int64, _ object: ObjectName
    ) throws(CacheError) {
        try place.attempt { () throws(S3Error) in
            try S3Upload(
                place.client, to: place.object(object), descriptor: descriptor, bytes: bytes,
                sha256: object.sha256
            ).run()
        }
    }

    /// Looks at an object; nil if there is none.
    ///
    /// A proxy may answer in the store's place: what does not carry the result's hash, or is missing, is looked for in
    /// the listing too.
    ///
    /// - Throws: `CacheError` with `.objects` where the two differ: such answers are an outage, and cost no row.
    func facts(_ object: ObjectName) throws(CacheError) -> S3ObjectFacts? {
        let address = place.object(object)
        // Twice, as it may come or go in between.
        for _ in 0..<2 {
            let facts = try place.attempt { () throws(S3Error) in
                try place.client.facts(address)
            }
            if let facts, facts.sha256 == object.sha256, facts.bytes >= 0 { return facts }
            let listed = try place.attempt { () throws(S3Error) in
                try place.client.entry(address)
            }
            if listed?.bytes == facts?.bytes { return facts }
        }
        throw place.strange(.look, address)
    }

    public func open(_ object: ObjectName, bytes: Int64?) throws(CacheError) -> ObjectOpening {
        if let file = copies.open(object, bytes: bytes) { return .found(file) }
        return try copies.filling(object) { () throws(CacheError) in
            if let file = copies.open(object, bytes: bytes) { return .found(file) }
            return try fetch(object, bytes: bytes)
        }
    }

    /// Reads the object itself, whatever copy there is.
    public func openOriginal(
        _ object: ObjectName, bytes: Int64?
    ) throws(CacheError) -> ObjectOpening {
        try copies.filling(object) { () throws(CacheError) in try fetch(object, bytes: bytes) }
    }

    /// Makes a copy of an object.
    func fetch(_ object: ObjectName, bytes: Int64?) throws(CacheError) -> ObjectOpening {
        guard let facts = try facts(object) else {
            try requirePlace()
            return .missing
        }
        guard bytes == nil || facts.bytes == bytes else { return .damaged }
        try freeCopies(bytes: facts.bytes)
        var last: ObjectFile?
        // A second time, as bytes may have changed on their way.
        for _ in 0..<2 {
            let staged = try copies.stage()
            guard try download(object, facts.bytes, to: staged) else {
                throw place.strange(.read, place.object(object))
            }
            let file = try copies.unnamed(staged, object)
            if try isHashed(file) {
                let kept = try copies.keep(staged, as: object)
                copies.trim()
                return .found(kept)
            }
            last = file
        }
        // Wrong in the bucket: whoever asks hashes it and has it set aside.
        guard let last else { return .damaged }
        return .found(last)
    }

    private func download(
        _ object: ObjectName, _ bytes: Int64, to staged: PartialFile
    ) throws(CacheError) -> Bool {
        do throws(S3Error) {
            let address = place.object(object)
            return try place.client.download(address, to: staged.descriptor, bytes: bytes) != nil
        } catch {
            switch error.kind {
            case .conditionFailed: return false
            case .file(ENOSPC), .file(EDQUOT): throw .diskFull(path: copies.folder)
            default: return try place.attempt { () throws(S3Error) -> Bool in throw error }
            }
        }
    }

    func isHashed(_ file: ObjectFile) throws(CacheError) -> Bool {
        do throws(DigestError) {
            return try SHA256Digest.ofFile(file.descriptor) { false } == file.object.sha256
        } catch {
            switch error {
            case .unreadable(EIO): return false
            case .unreadable(let reason):
                throw .file(operation: "read", path: file.path, errno: reason)
            case .outOfMemory: throw .file(operation: "read", path: file.path, errno: ENOMEM)
            }
        }
    }

    public func isWhole(_ file: ObjectFile) throws(CacheError) -> Bool {
        guard try isHashed(file) else { return false }
        do throws(S3Error) {
            let facts = try place.client.facts(place.object(file.object))
            return facts?.bytes == file.bytes
                && facts?.sha256 ?? file.object.sha256 == file.object.sha256
        } catch {
            // A server that is away takes nothing from a good copy.
            if error.isTemporary { return true }
            return try place.attempt { () throws(S3Error) -> Bool in throw error }
        }
    }

    public func size(of object: ObjectName) throws(CacheError) -> Int64? {
        if let facts = try facts(object) { return facts.bytes }
        try requirePlace()
        return nil
    }

    public func withSize<Value>(
        of object: ObjectName, _ body: (Int64?) throws(CacheError) -> Value
    ) throws(CacheError) -> Value {
        try body(try size(of: object))
    }

    public func address(of object: ObjectName, seconds: Int) throws(CacheError) -> String? {
        try place.attempt { () throws(S3Error) in
            try place.client.presign(
                place.object(object), now: Int64(Date().timeIntervalSince1970), seconds: seconds)
        }
    }
}
