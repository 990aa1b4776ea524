internal import Foundation
internal import TakeupCache
internal import TakeupDigest
internal import TakeupFetch
internal import TakeupFiles
internal import TakeupJobs
internal import TakeupModel

/// What the sources hold, and whether they still hold it.
extension OpenSources {
    /// Files from this size on are looked into before they are hashed, which takes longer.
    private static let probedBytes: Int64 = 64 << 20

    /// What each source's content is known by, in order; a file that was hashed before is not read again.
    ///
    /// - Parameters:
    ///   - manifest: Remembers the hashes.
    ///   - fetching: How a source is fetched whose origin does not name its versions.
    ///   - probe: Looks into a large file before all of it is read; throws for what is no media.
    /// - Returns: 64 lower-case hexadecimal digits each.
    /// - Throws: `AttemptEnd`.
    func digests(
        _ manifest: Manifest, _ fetching: Fetching,
        probe: (LocalSource, Int32) throws(AttemptEnd) -> Void
    ) throws(AttemptEnd) -> [String] {
        var digests: [String] = []
        for source in all {
            switch source {
            case .file(let file):
                digests.append(try digest(file, manifest, fetching.isStopped, probe))
            case .remote(let remote): digests.append(try Self.identity(remote, fetching))
            }
        }
        return places.map { digests[$0] }
    }

    private static func identity(
        _ source: LoaderSource, _ fetching: Fetching
    ) throws(AttemptEnd) -> String {
        do throws(FetchError) {
            return try source.identity(
                isStopped: fetching.isStopped, onProgress: fetching.onProgress)
        } catch {
            throw fetching.end(error)
        }
    }

    private func digest(
        _ source: LocalSource, _ manifest: Manifest, _ isStopped: () -> Bool,
        _ probe: (LocalSource, Int32) throws(AttemptEnd) -> Void
    ) throws(AttemptEnd) -> String {
        do {
            if let known = try manifest.digest(of: source.identity) { return known }
            let found = try withDescriptor(of: source) { descriptor in
                if source.identity.bytes >= Self.probedBytes { try probe(source, descriptor) }
                return try SHA256Digest.ofFile(descriptor, isStopped: isStopped)
            }
            guard let found else { throw AttemptEnd.stopped }
            try requireUnchanged(source)
            try manifest.remember(found, of: source.identity)
            return found
        } catch let error as AttemptEnd {
            throw error
        } catch let error as CacheError {
            throw .outcome(.failed(.cache(error), retryable: true))
        } catch {
            throw .outcome(
                .failed(
                    Failure(ExportError.inputUnreadable(source.name, reason: "\(error)")),
                    retryable: true))
        }
    }

    /// Makes sure that no file took a source's place since the job was accepted.
    ///
    /// - Parameter marks: What was known of the sources then, in their order.
    /// - Throws: `AttemptEnd`.
    func requireAccepted(_ marks: [SourceMark?]) throws(AttemptEnd) {
        for case (.file(let file), let mark?) in zip(places.map({ all[$0] }), marks)
        where SourceMark(file.identity) != mark {
            throw .outcome(.failed(.sourceReplaced(file.name), retryable: false))
        }
    }

    /// Makes sure that what was read is what there was at the beginning.
    func requireUnchanged() throws(AttemptEnd) {
        for file in files { try requireUnchanged(file) }
    }

    private func requireUnchanged(_ source: LocalSource) throws(AttemptEnd) {
        let now = try? withDescriptor(of: source) { FileIdentity(descriptor: $0) }
        guard let now, now.hasContent(of: source.identity) else {
            throw .outcome(.failed(.sourceChanged(source.name), retryable: true))
        }
    }
}
