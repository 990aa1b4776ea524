internal import TakeupBucket
package import TakeupCache
internal import TakeupJobs
package import TakeupModel
internal import TakeupS3

/// Chooses the store of the results; no other place does.
extension StatePlaces {
    /// How far the bucket of the results is, and how exact its clock.
    package struct BucketHealth: Sendable, Equatable {
        /// The bucket and its server.
        package let name: String
        /// Seconds of one request.
        package let roundTripSeconds: Double
        /// Seconds by which the server's clock is ahead; nil where it does not say.
        package let skewSeconds: Int64?
    }

    /// The folder of this machine that holds the results; nil if a bucket does.
    package var objectsFolder: String? {
        switch objects {
        case .cache: cache
        case .folder(let path): path
        case .bucket: nil
        }
    }

    /// Opens the cache on whatever store is chosen.
    ///
    /// - Parameters:
    ///   - manifest: The rows of the results.
    ///   - limits: What it may grow to.
    /// - Returns: The cache.
    /// - Throws: `CacheError`.
    func openCache(
        _ manifest: Manifest, _ limits: CacheLimits
    ) throws(CacheError) -> MediaCache {
        let log = AccessLog(folder: home)
        guard case .bucket(let address) = objects else {
            return try MediaCache(
                path: objectsFolder ?? cache, manifest: manifest, limits: limits, log: log,
                adopting: adoptsCache)
        }
        let store = try S3Objects(
            try client(), address, folder: cache, manifest: manifest, adopting: adoptsCache)
        return MediaCache(objects: store, manifest: manifest, limits: limits, log: log)
    }

    /// Opens a store of objects as one end of a copy.
    ///
    /// - Parameters:
    ///   - address: Where it is.
    ///   - manifest: The rows of the database; may be open for reading alone.
    ///   - isTarget: Whether it is written to; else it has to be the one that the database knows.
    /// - Returns: The store.
    /// - Throws: `CacheError`.
    func openObjects(
        _ address: ObjectsAddress, _ manifest: Manifest, asTarget isTarget: Bool
    ) throws(CacheError) -> any ObjectStore {
        guard case .bucket(let place) = address else {
            let path = if case .folder(let path) = address { path } else { cache }
            return isTarget
                ? try LocalObjects(path: path, manifest: manifest, copying: true)
                : try LocalObjects(reading: path, manifest: manifest)
        }
        return try S3Objects(
            try client(), place, folder: cache, manifest: manifest, readOnly: !isTarget,
            copying: isTarget)
    }

    /// Sees whether a database may use the store, and changes nothing.
    ///
    /// - Throws: `CacheError`.
    package func checkObjects(for manifest: Manifest) throws(CacheError) {
        if case .bucket(let address) = objects {
            try S3Objects.check(try client(), address, for: manifest)
        } else {
            try LocalObjects.check(objectsFolder ?? cache, for: manifest)
        }
    }

    /// Lists, writes, reads and deletes a small object in the bucket.
    ///
    /// - Returns: nil without a bucket.
    /// - Throws: Why the first step that failed did.
    package func bucketHealth() throws(Failure) -> BucketHealth? {
        guard case .bucket(let address) = objects else { return nil }
        do throws(CacheError) {
            let client = try client()
            do throws(S3Error) {
                let found = try S3Health.check(client, address, now: WallClock.now)
                return BucketHealth(
                    name: "\(address) on \(client.endpoint.name)",
                    roundTripSeconds: found.roundTripSeconds, skewSeconds: found.skewSeconds)
            } catch {
                throw .objects(Failure(error))
            }
        } catch {
            throw Failure(error)
        }
    }

    private func client() throws(CacheError) -> S3Client {
        do throws(Failure) {
            return try bucketSettings.client()
        } catch {
            throw .objects(error)
        }
    }
}
