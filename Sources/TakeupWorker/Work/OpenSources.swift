internal import Foundation
internal import TakeupCache
internal import TakeupDigest
internal import TakeupExport
internal import TakeupJobs

/// A job's sources, open, with what they hold.
final class OpenSources {
    struct Source {
        let name: String
        let descriptor: Int32
        let identity: FileIdentity
    }

    private(set) var all: [Source] = []

    var descriptors: [Int32] { all.map(\.descriptor) }

    init(_ names: [String]) throws(WorkEnd) {
        for name in names { all.append(try Self.open(name)) }
    }

    deinit {
        for source in all { close(source.descriptor) }
    }

    private static func open(_ name: String) throws(WorkEnd) -> Source {
        // Without O_NONBLOCK the open of a pipe would wait for a writer.
        let descriptor = Foundation.open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(opening: name, errno) }
        guard let identity = FileIdentity(descriptor: descriptor) else {
            close(descriptor)
            throw .outcome(
                .failed(
                    JobFault(ExportError.inputUnreadable(name, reason: "it is no regular file")),
                    retryable: false))
        }
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
        return Source(name: name, descriptor: descriptor, identity: identity)
    }

    private static func failure(opening name: String, _ reason: Int32) -> WorkEnd {
        let error: ExportError =
            switch reason {
            case ENOENT, ENOTDIR: .inputMissing(name)
            case EACCES, EPERM: .inputNotPermitted(name)
            default: .inputUnreadable(name, reason: String(cString: strerror(reason)))
            }
        let canHeal = [EIO, EMFILE, ENFILE, ESTALE, ETIMEDOUT].contains(reason)
        return .outcome(.failed(JobFault(error), retryable: canHeal))
    }

    /// The hash of each source's content, in order; a file that was hashed before is not read again.
    ///
    /// - Parameters:
    ///   - manifest: Remembers the hashes.
    ///   - isStopped: Asked once a block.
    /// - Returns: 64 lower-case hexadecimal digits each.
    /// - Throws: `WorkEnd`.
    func digests(_ manifest: Manifest, isStopped: () -> Bool) throws(WorkEnd) -> [String] {
        var digests: [String] = []
        for source in all { digests.append(try digest(source, manifest, isStopped)) }
        return digests
    }

    private func digest(
        _ source: Source, _ manifest: Manifest, _ isStopped: () -> Bool
    ) throws(WorkEnd) -> String {
        do {
            if let known = try manifest.digest(of: source.identity) { return known }
            guard let found = try SHA256Digest.ofFile(source.descriptor, isStopped: isStopped)
            else { throw WorkEnd.stopped }
            try requireUnchanged(source)
            try manifest.remember(found, of: source.identity)
            return found
        } catch let error as WorkEnd {
            throw error
        } catch let error as CacheError {
            throw .outcome(.failed(.cache(error), retryable: true))
        } catch {
            throw .outcome(
                .failed(
                    JobFault(ExportError.inputUnreadable(source.name, reason: "\(error)")),
                    retryable: true))
        }
    }

    /// Makes sure that what was read is what there was at the beginning.
    func requireUnchanged() throws(WorkEnd) {
        for source in all { try requireUnchanged(source) }
    }

    private func requireUnchanged(_ source: Source) throws(WorkEnd) {
        guard let now = FileIdentity(descriptor: source.descriptor),
            now.bytes == source.identity.bytes,
            now.modifiedNanoseconds == source.identity.modifiedNanoseconds
        else { throw .outcome(.failed(.sourceChanged(source.name), retryable: true)) }
    }
}
