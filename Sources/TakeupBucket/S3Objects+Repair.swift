internal import Foundation
public import TakeupCache
internal import TakeupS3

extension S3Objects {
    /// Seconds for which an object without a row may still get one: its job uploads, then records.
    static let graceSeconds: Int64 = 3600
    /// Seconds after which an upload that was begun is of nobody any more.
    static let uploadSeconds: Int64 = 86_400
    /// Results without a row, and things in quarantine, stay for thirty days.
    static let asideSeconds: Int64 = 2_592_000

    /// Compares rows and objects; touches nothing outside of its own folders.
    public func reconcile(with manifest: Manifest) throws(CacheError) -> Reconciliation {
        try requirePlace()
        var result = Reconciliation()
        result.removedStaged = abortUploads()
        // Most caches are one page; only larger ones are worth a listing for each shard.
        let folder = place.folder(.objects)
        let first = try place.attempt { () throws(S3Error) in
            try place.client.list(folder.bucket, prefix: folder.key)
        }
        let whole = first.next == nil ? Listing(first, place) : nil
        for number in 0..<256 {
            let digits = String(number, radix: 16)
            let shard = number < 16 ? "0\(digits)" : digits
            let listing = if let whole { whole } else { try listing(of: shard) }
            try reconcile(shard, listing, manifest, &result)
        }
        (result.removedOrphans, result.removedOrphanBytes) = try prune(.orphans)
        (result.removedQuarantined, _) = try prune(.quarantine)
        copies.trim()
        return result
    }

    /// The results that a bucket holds, by shard, with the server's clock.
    private struct Listing {
        var shards: [String: [ObjectName: S3Page.Entry]] = [:]
        var clock: Int64?

        init() {}

        init(_ page: S3Page, _ place: BucketPlace) {
            for entry in page.entries { add(entry, page.serverTime, place) }
        }

        mutating func add(_ entry: S3Page.Entry, _ serverTime: Int64?, _ place: BucketPlace) {
            clock = serverTime
            // Anything else below the prefix is somebody else's.
            guard let name = entry.key.split(separator: "/").last.map(String.init),
                let object = ObjectName(fileName: name), place.object(object).key == entry.key
            else { return }
            shards[object.shard, default: [:]][object] = entry
        }
    }

    private func listing(of shard: String) throws(CacheError) -> Listing {
        var listing = Listing()
        try place.attempt { () throws(S3Error) in
            try place.client.forEach(place.object("objects/\(shard)/")) { entry, serverTime in
                listing.add(entry, serverTime, place)
            }
        }
        return listing
    }

    private func reconcile(
        _ shard: String, _ listing: Listing, _ manifest: Manifest, _ result: inout Reconciliation
    ) throws(CacheError) {
        let rows = try manifest.entries(inShard: shard)
        result.entries += rows.count
        let present = listing.shards[shard] ?? [:]
        var named: Set<ObjectName> = []
        for row in rows {
            if present[row.object]?.bytes == row.bytes {
                named.insert(row.object)
            } else if try bringBack(row.object, bytes: row.bytes) {
                result.restored += 1
            } else {
                // Looks at the object itself: it may have come after the listing.
                result.droppedRows += try manifest.dropRows(of: row.object, in: self)
            }
        }
        for (object, entry) in present where !named.contains(object) {
            try settle(object, entry, listing.clock, manifest, &result)
        }
    }

    /// Sets an object aside that no row names and that is old enough.
    private func settle(
        _ object: ObjectName, _ entry: S3Page.Entry, _ clock: Int64?, _ manifest: Manifest,
        _ result: inout Reconciliation
    ) throws(CacheError) {
        if try manifest.isRecorded(object) { return }
        guard let clock, let modified = entry.modifiedAt, clock - modified >= Self.graceSeconds,
            let now = try facts(object), now.modifiedAt ?? modified <= modified + 1
        else {
            result.heldFiles += 1
            return
        }
        let removal = try remove(object, .setAside, if: { true }) { () throws(CacheError) in
            try manifest.isRecorded(object)
        }
        switch removal {
        case .removed: result.orphans += 1
        case .inUse: result.heldFiles += 1
        case .kept, .missing: break
        }
    }

    /// Some servers cannot list uploads, or do not permit it: what is left stays then until the bucket's own rules remove it.
    private func abortUploads() -> Int {
        let folder = place.folder(.objects)
        guard let (uploads, clock) = try? place.client.unfinishedUploads(folder), let clock
        else { return 0 }
        let old = uploads.filter { clock - ($0.begunAt ?? clock) >= Self.uploadSeconds }
        return old.count { (try? place.client.abort($0, in: folder.bucket)) != nil }
    }

    private func prune(
        _ folder: BucketPlace.Folder
    ) throws(CacheError) -> (count: Int, bytes: Int64) {
        var old: [S3Page.Entry] = []
        try place.attempt { () throws(S3Error) in
            try place.client.forEach(place.folder(folder)) { entry, clock in
                if let clock, clock - (entry.modifiedAt ?? clock) >= Self.asideSeconds {
                    old.append(entry)
                }
            }
        }
        for entry in old {
            guard let address = S3Address(bucket: place.address.bucket, key: entry.key) else {
                continue
            }
            try delete(address)
        }
        return (old.count, old.reduce(0) { $0 + $1.bytes })
    }
}
