internal import Foundation
internal import TakeupCache
internal import TakeupDigest
internal import TakeupModel
internal import TakeupFetch
internal import TakeupFiles
internal import TakeupJobs
internal import TakeupOutput

/// A job's sources, open, with what they hold.
final class OpenSources {
    enum Source {
        case file(LocalSource)
        case remote(LoaderSource)

        var name: String {
            switch self {
            case .file(let file): file.name
            case .remote(let source): source.name
            }
        }
    }

    struct LocalSource {
        let name: String
        let descriptor: Int32
        let identity: FileIdentity
    }

    /// Files from this size on are looked into before they are hashed, which takes longer.
    private static let probedBytes: Int64 = 64 << 20

    private(set) var all: [Source] = []

    /// As they may be shown.
    var names: [String] { all.map(\.name) }
    /// Identities of the local files.
    var identities: [FileIdentity] { files.map(\.identity) }
    /// Total length of all sources with a known length.
    var bytes: Int64 {
        files.reduce(0) { $0 + $1.identity.bytes }
            + remoteLengths.values.reduce(0) { $0 + max(0, $1) }
    }
    /// The traits of the first source if it is a local file.
    var traits: FileTraits? {
        guard case .file(let file) = all.first else { return nil }
        return FileTraits(descriptor: file.descriptor)
    }
    /// Number of descriptors that a helper gets.
    var descriptorCount: Int { all.count + remotes.count }
    /// Lengths of the remote sources in bytes, by their index among all sources.
    var remoteLengths: [Int: Int64] {
        var lengths: [Int: Int64] = [:]
        for (place, source) in all.enumerated() {
            if case .remote(let remote) = source { lengths[place] = remote.byteCount }
        }
        return lengths
    }
    /// Why a source could not be fetched to where it was read; nil while none has failed.
    var failure: FetchError? { remotes.lazy.compactMap(\.failure).first }

    private var files: [LocalSource] {
        all.compactMap { if case .file(let file) = $0 { file } else { nil } }
    }
    private var remotes: [LoaderSource] {
        all.compactMap { if case .remote(let source) = $0 { source } else { nil } }
    }

    /// - Parameters:
    ///   - spec: Names paths and addresses.
    ///   - library: Fetches addresses; nil refuses them.
    ///   - limit: Of playlists with several sizes.
    ///   - fetching: How.
    /// - Throws: `AttemptEnd`.
    init(
        _ spec: JobSpec, from library: SourceLibrary?, within limit: PictureLimit,
        _ fetching: Fetching
    ) throws(AttemptEnd) {
        do throws(AttemptEnd) {
            for name in spec.request.sources {
                guard SourceText.isAddress(name) else {
                    all.append(.file(try Self.open(name, followsLinks: spec.followsLinks)))
                    continue
                }
                guard let library else { throw .unfetchable(name) }
                let source = WantedSource(name, within: limit)
                all.append(.remote(try Self.open(source, library, fetching)))
            }
        } catch {
            close()
            throw error
        }
    }

    /// Ends what is read and fetched.
    func close() {
        for source in remotes { source.cancel() }
        for file in files { Foundation.close(file.descriptor) }
        all = []
    }

    /// Sees that what is still to come of sources has room.
    ///
    /// - Throws: `AttemptEnd.noRoom` with what a source lacks.
    func requireRoom(
        in store: SourceStore?, _ limits: SourceLimits, _ fetching: Fetching
    ) throws(AttemptEnd) {
        guard let store else { return }
        for source in remotes {
            let missing = source.missingBytes
            do throws(FetchError) {
                try store.requireRoom(for: missing, limits, address: source.name)
            } catch {
                guard error.isDiskFull else { throw fetching.end(error) }
                throw fetching.noRoom(for: missing, at: store.path)
            }
        }
    }

    /// What a helper gets; waits until something of each source is there.
    func feeds(_ fetching: Fetching) throws(AttemptEnd) -> SourceFeeds {
        var (descriptors, feeds): ([Int32], [SourceFeed]) = ([], [])
        do throws(FetchError) {
            for source in all {
                switch source {
                case .file(let file): descriptors.append(file.descriptor)
                case .remote(let remote):
                    try remote.begin(isStopped: fetching.isStopped)
                    let feed = try SourceFeed(remote)
                    feeds.append(feed)
                    descriptors += feed.descriptors
                }
            }
        } catch {
            for feed in feeds { feed.stop() }
            throw fetching.end(error)
        }
        return SourceFeeds(descriptors: descriptors, feeds: feeds)
    }

    private static func open(
        _ source: WantedSource, _ library: SourceLibrary, _ fetching: Fetching
    ) throws(AttemptEnd) -> LoaderSource {
        do throws(FetchError) {
            return try LoaderSource(
                source.address, from: library, within: source.pictureLimit,
                isStopped: fetching.isStopped, onProgress: fetching.onProgress)
        } catch {
            throw fetching.end(error)
        }
    }

    private static func open(
        _ name: String, followsLinks: Bool
    ) throws(AttemptEnd) -> LocalSource {
        // Without O_NONBLOCK the open of a pipe would wait for a writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        let descriptor =
            followsLinks
            ? Foundation.open(name, flags) : AnchoredPath.openWithoutLinks(name, flags)
        guard descriptor >= 0 else {
            // With a link in its way the file that was meant is not there.
            throw failure(opening: name, !followsLinks && errno == ELOOP ? ENOENT : errno)
        }
        guard let identity = FileIdentity(descriptor: descriptor) else {
            var facts = stat()
            let isFolder = fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
            Foundation.close(descriptor)
            let error = ExportError(opening: name, errno: isFolder ? EISDIR : EINVAL)
            throw .outcome(.failed(Failure(error), retryable: false))
        }
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
        return LocalSource(name: name, descriptor: descriptor, identity: identity)
    }

    private static func failure(opening name: String, _ reason: Int32) -> AttemptEnd {
        guard reason != EMFILE, reason != ENFILE else { return .tooManyFiles }
        let error = ExportError(opening: name, errno: reason)
        let canHeal = [EIO, ESTALE, ETIMEDOUT].contains(reason)
        return .outcome(.failed(Failure(error), retryable: canHeal))
    }

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
        probe: (LocalSource) throws(AttemptEnd) -> Void
    ) throws(AttemptEnd) -> [String] {
        var digests: [String] = []
        for source in all {
            switch source {
            case .file(let file):
                digests.append(try digest(file, manifest, fetching.isStopped, probe))
            case .remote(let remote): digests.append(try Self.identity(remote, fetching))
            }
        }
        return digests
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
        _ probe: (LocalSource) throws(AttemptEnd) -> Void
    ) throws(AttemptEnd) -> String {
        do {
            if let known = try manifest.digest(of: source.identity) { return known }
            if source.identity.bytes >= Self.probedBytes { try probe(source) }
            guard let found = try SHA256Digest.ofFile(source.descriptor, isStopped: isStopped)
            else { throw AttemptEnd.stopped }
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
        for case (.file(let file), let mark?) in zip(all, marks)
        where SourceMark(file.identity) != mark {
            throw .outcome(.failed(.sourceReplaced(file.name), retryable: false))
        }
    }

    /// Makes sure that what was read is what there was at the beginning.
    func requireUnchanged() throws(AttemptEnd) {
        for file in files { try requireUnchanged(file) }
    }

    private func requireUnchanged(_ source: LocalSource) throws(AttemptEnd) {
        guard let now = FileIdentity(descriptor: source.descriptor),
            now.bytes == source.identity.bytes,
            now.modifiedNanoseconds == source.identity.modifiedNanoseconds
        else { throw .outcome(.failed(.sourceChanged(source.name), retryable: true)) }
    }
}
