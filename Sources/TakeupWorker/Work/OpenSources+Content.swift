internal import Foundation
internal import TakeupDigest
internal import TakeupFetch
internal import TakeupFiles
internal import TakeupJobs
internal import TakeupModel

/// Hashes of files that were read before, and are unchanged since.
struct DigestMemory {
    let find: (FileIdentity) throws(AttemptEnd) -> String?
    let remember: (String, FileIdentity) throws(AttemptEnd) -> Void
}

/// What the sources hold, and whether they still hold it.
extension OpenSources {
    /// Files from this size on are looked into before they are hashed, which takes longer.
    private static let probedBytes: Int64 = 64 << 20

    /// What each source's content is known by, in order; a file that was hashed before is not read again.
    ///
    /// - Parameters:
    ///   - memory: Of the hashes of files.
    ///   - fetching: How a source is fetched whose origin does not name its versions.
    ///   - probe: Looks into a large file before all of it is read; throws for what is no media.
    /// - Returns: 64 lower-case hexadecimal digits each.
    /// - Throws: `AttemptEnd`.
    func digests(
        _ memory: DigestMemory, _ fetching: Fetching,
        probe: (LocalSource, Int32) throws(AttemptEnd) -> Void
    ) throws(AttemptEnd) -> [String] {
        var digests: [String] = []
        for source in all {
            switch source {
            case .file(let file):
                digests.append(try digest(file, memory, fetching.isStopped, probe))
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
        _ source: LocalSource, _ memory: DigestMemory, _ isStopped: () -> Bool,
        _ probe: (LocalSource, Int32) throws(AttemptEnd) -> Void
    ) throws(AttemptEnd) -> String {
        if let known = try memory.find(source.identity) { return known }
        let found: String?
        do {
            found = try withDescriptor(of: source) { descriptor in
                if source.identity.bytes >= Self.probedBytes { try probe(source, descriptor) }
                return try SHA256Digest.ofFile(descriptor, isStopped: isStopped)
            }
        } catch let error as AttemptEnd {
            throw error
        } catch {
            throw .outcome(
                .failed(
                    Failure(ExportError.inputUnreadable(source.name, reason: "\(error)")),
                    retryable: true))
        }
        guard let found else { throw .stopped }
        try requireUnchanged(source)
        try memory.remember(found, source.identity)
        return found
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
