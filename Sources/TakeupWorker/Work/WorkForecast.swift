internal import Foundation
public import TakeupCache
internal import TakeupFiles
public import TakeupJobs

/// What can be told of a job's work before any of it is done.
public enum WorkForecast {
    /// The key that the work would have in the cache.
    ///
    /// - Returns: nil when a source is missing, or was never hashed as it is now: none is read for this.
    /// - Throws: `CacheError.store`.
    public static func knownKey(
        _ spec: JobSpec, in manifest: Manifest
    ) throws(CacheError) -> String? {
        var digests: [String] = []
        for source in spec.sources {
            guard let digest = try knownDigest(source, manifest) else { return nil }
            digests.append(digest)
        }
        return try? WorkKey.make(spec, digests: digests)
    }

    private static func knownDigest(
        _ path: String, _ manifest: Manifest
    ) throws(CacheError) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let identity = FileIdentity(descriptor: descriptor) else { return nil }
        return try manifest.digest(of: identity)
    }
}
