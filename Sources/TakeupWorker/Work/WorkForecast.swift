internal import Foundation
public import TakeupCache
public import TakeupModel
internal import TakeupFiles

/// What can be told of a job's work before any of it is done.
public enum WorkForecast {
    /// The key that the work would have in the cache.
    ///
    /// - Returns: nil when a source is missing, may not be read, or was never hashed as it is now: none is read for this.
    /// - Throws: `CacheError` with `.store`; with `.file` for a source that cannot be looked at now.
    public static func knownKey(
        _ request: ExportRequest, in manifest: Manifest
    ) throws(CacheError) -> String? {
        var digests: [String] = []
        for source in request.sources {
            guard let digest = try knownDigest(source, manifest) else { return nil }
            digests.append(digest)
        }
        return try? WorkKey.make(request, digests: digests)
    }

    /// The name that a job's output would get now, in a folder that takes files.
    ///
    /// - Throws: `ExportError` with `.outputNotPermitted`, `.outputNotCreated`, `.diskFull`, or `.outputExists` when
    ///   every name that `unique` tries is taken.
    public static func place(_ output: String, _ overwrite: ExportSettings.Overwrite)
        throws(ExportError) -> String
    {
        do throws(FileError) {
            try WritableFolder.require(Folder.containing(output))
        } catch {
            switch error {
            case .notPermitted: throw .outputNotPermitted(output)
            case .diskFull: throw .diskFull(output)
            case .exists, .notCreated, .failed:
                throw .outputNotCreated(output, reason: error.reason)
            }
        }
        guard overwrite == .unique else { return output }
        guard let free = PartialFile.freeName(for: output) else { throw .outputExists(output) }
        return free
    }

    private static func knownDigest(
        _ path: String, _ manifest: Manifest
    ) throws(CacheError) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard Folder.isAbsence(errno) || [EACCES, EPERM, ELOOP, ENXIO].contains(errno) else {
                throw .file(operation: "open", path: path, errno: errno)
            }
            return nil
        }
        defer { close(descriptor) }
        guard let identity = FileIdentity(descriptor: descriptor) else { return nil }
        return try manifest.digest(of: identity)
    }
}
