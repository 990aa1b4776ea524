internal import Foundation
public import TakeupCache
internal import TakeupFiles
internal import TakeupLanes
internal import TakeupS3

extension S3Objects {
    /// The largest object that a server copies in one request, in bytes.
    ///
    /// - Note: Source: "CopyObject" of Amazon S3.
    static let mostCopied: Int64 = 5_000_000_000

    public func remove(
        _ object: ObjectName, _ disposal: ObjectDisposal, if decide: () throws(CacheError) -> Bool,
        unless isClaimed: () throws(CacheError) -> Bool
    ) throws(CacheError) -> ObjectRemoval {
        guard let facts = try facts(object) else {
            try requirePlace()
            return .missing
        }
        guard copies.forget(object) else { return .inUse }
        try requireDeletion()
        guard try decide(), try !isClaimed() else { return .kept }
        switch disposal {
        case .unlinked: try delete(place.object(object))
        case .setAside:
            guard facts.bytes <= Self.mostCopied else { return .kept }
            try move(place.object(object), to: place.orphan(object))
            // Recorded by somebody while it was moved: it comes back.
            if try isClaimed() { _ = try bringBack(object, bytes: facts.bytes) }
        }
        return .removed
    }

    public func bringBack(_ object: ObjectName, bytes: Int64) throws(CacheError) -> Bool {
        let orphan = place.orphan(object)
        let facts = try place.attempt { () throws(S3Error) in try place.client.facts(orphan) }
        guard facts?.bytes == bytes else { return false }
        try move(orphan, to: place.object(object))
        return true
    }

    /// Leaves the object to `reconcile`, which sets aside what nobody has recorded for an hour.
    ///
    /// Another machine may be about to record the same content, and no lock reaches it.
    public func discard(
        _ file: ObjectFile, unless isClaimed: () throws(CacheError) -> Bool
    ) throws(CacheError) {
        if try !isClaimed() { unlink(copies.path(of: file.object)) }
    }

    public func setAside(
        _ file: ObjectFile, _ drop: () throws(CacheError) -> Void
    ) throws(CacheError) {
        // Of a bad copy only the copy goes; who reads it goes on.
        unlink(copies.path(of: file.object))
        switch try fetch(file.object, bytes: file.bytes) {
        case .found(let fresh):
            if try isHashed(fresh) { return }
            guard fresh.bytes <= Self.mostCopied else { return try drop() }
            try move(place.object(file.object), to: place.quarantine(file.object))
        case .damaged, .missing: break
        }
        try drop()
    }

    /// Nothing but an object can have a key.
    public func clear(_ object: ObjectName) throws(CacheError) {}

    /// The disk of this machine holds none of them.
    public func freesSpace(_ object: ObjectName) throws(CacheError) -> Bool { false }

    public func orphanSizes() throws(CacheError) -> (count: Int, bytes: Int64) {
        var (count, bytes): (Int, Int64) = (0, 0)
        try place.attempt { () throws(S3Error) in
            try place.client.forEach(place.folder(.orphans)) { entry, _ in
                (count, bytes) = (count + 1, bytes + entry.bytes)
            }
        }
        return (count, bytes)
    }

    /// Sees once that deleting is permitted: a row that goes before its object cannot come back.
    private func requireDeletion() throws(CacheError) {
        guard !mayDelete.withLock(\.self) else { return }
        // To delete what is not there is no error, but for those who may not.
        try delete(place.object("objects/none"))
        mayDelete.withLock { $0 = true }
    }

    func delete(_ object: S3Address) throws(CacheError) {
        try place.attempt { () throws(S3Error) in try place.client.delete(object) }
    }

    func move(_ object: S3Address, to target: S3Address) throws(CacheError) {
        try place.attempt { () throws(S3Error) in
            try place.client.copy(object, to: target)
            try place.client.delete(object)
        }
    }
}
