internal import Foundation
internal import TakeupModel
internal import TakeupFetch
internal import TakeupFiles
internal import TakeupJobs
internal import TakeupMediaClient
internal import TakeupOutput
internal import TakeupProcess

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
        let file: LocalFile
        /// Open as long as the sources are; nil for one of many, which is opened when it is read.
        let descriptor: Int32?

        var name: String { file.path }
        var identity: FileIdentity { file.identity }
    }

    /// Each file and address once.
    private(set) var all: [Source] = []
    /// Which of all each of the job's sources is.
    let places: [Int]

    /// Of the job's sources, as they may be shown.
    var names: [String] { places.map { all[$0].name } }
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
        return try? withDescriptor(of: file) { FileTraits(descriptor: $0) }
    }
    /// Number of descriptors that a helper gets.
    var descriptorCount: Int { helperFiles.descriptorCount }
    /// How a helper gets them.
    var helperFiles: HelperFiles {
        HelperFiles(
            places: places, remoteLengths: remoteLengths,
            lateLengths: late.mapValues(\.identity.bytes))
    }
    /// The files that are opened when they are read.
    private var late: [Int: LocalFile] {
        var late: [Int: LocalFile] = [:]
        for (place, source) in all.enumerated() {
            if case .file(let file) = source, file.descriptor == nil { late[place] = file.file }
        }
        return late
    }
    /// Lengths of the remote sources in bytes, by their index among all sources.
    private var remoteLengths: [Int: Int64] {
        var lengths: [Int: Int64] = [:]
        for (place, source) in all.enumerated() {
            if case .remote(let remote) = source { lengths[place] = remote.byteCount }
        }
        return lengths
    }
    /// Why a source could not be fetched to where it was read; nil while none has failed.
    var failure: FetchError? { remotes.lazy.compactMap(\.failure).first }

    /// What a result made of them has to tell.
    var warnings: [ExportWarning] { remotes.flatMap(\.warnings) }

    var files: [LocalSource] {
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
        let names = spec.request.sources
        places = HelperFiles.places(of: names)
        var isKnown = Set<String>()
        let distinct = names.filter { isKnown.insert($0).inserted }
        let isHanded =
            distinct.count { !SourceText.isAddress($0) } <= SourceDesk.mostHanded
        do throws(AttemptEnd) {
            for name in distinct {
                guard SourceText.isAddress(name) else {
                    let file = try Self.open(
                        name, followsLinks: spec.followsLinks, keepsOpen: isHanded)
                    all.append(.file(file))
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

    /// Has what may be of two versions fetched again the next time.
    func distrust() {
        for source in remotes { source.distrust() }
    }

    /// Ends what is read and fetched.
    func close() {
        for source in remotes { source.cancel() }
        for file in files { file.descriptor.map { _ = Foundation.close($0) } }
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
        var desk: SourceDesk?
        let late = late
        if !late.isEmpty {
            do throws(ProcessError) { desk = try SourceDesk(late) } catch {
                throw .tooManyFiles
            }
            desk.map { descriptors.append($0.descriptor) }
        }
        do throws(FetchError) {
            for source in all {
                switch source {
                case .file(let file): file.descriptor.map { descriptors.append($0) }
                case .remote(let remote):
                    try remote.begin(isStopped: fetching.isStopped)
                    let feed = try SourceFeed(remote)
                    feeds.append(feed)
                    descriptors += feed.descriptors
                }
            }
        } catch {
            SourceFeeds(descriptors: [], feeds: feeds, desk: desk).stop()
            throw fetching.end(error)
        }
        return SourceFeeds(descriptors: descriptors, feeds: feeds, desk: desk)
    }

    private static func open(
        _ source: WantedSource, _ library: SourceLibrary, _ fetching: Fetching
    ) throws(AttemptEnd) -> LoaderSource {
        do throws(FetchError) {
            return try LoaderSource(
                source.address, from: library, wholeWithin: fetching.wholeLimits,
                within: source.pictureLimit,
                isStopped: fetching.isStopped, onProgress: fetching.onProgress)
        } catch {
            throw fetching.end(error)
        }
    }

    private static func open(
        _ name: String, followsLinks: Bool, keepsOpen: Bool
    ) throws(AttemptEnd) -> LocalSource {
        let descriptor = LocalFile.open(name, followsLinks: followsLinks)
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
        let file = LocalFile(path: name, followsLinks: followsLinks, identity: identity)
        guard keepsOpen else {
            Foundation.close(descriptor)
            return LocalSource(file: file, descriptor: nil)
        }
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
        return LocalSource(file: file, descriptor: descriptor)
    }

    /// Calls `body` with an open descriptor of a file, which stays the sources'.
    ///
    /// - Throws: `AttemptEnd` if it cannot be opened again, or is another one now.
    func withDescriptor<Value>(
        of source: LocalSource, _ body: (Int32) throws -> Value
    ) throws -> Value {
        if let descriptor = source.descriptor { return try body(descriptor) }
        switch source.file.open() {
        case .success(let descriptor):
            defer { Foundation.close(descriptor) }
            return try body(descriptor)
        case .failure(let reason) where reason.code == ESTALE:
            throw AttemptEnd.outcome(.failed(.sourceChanged(source.name), retryable: true))
        case .failure(let reason): throw Self.failure(opening: source.name, reason.code)
        }
    }

    private static func failure(opening name: String, _ reason: Int32) -> AttemptEnd {
        guard reason != EMFILE, reason != ENFILE else { return .tooManyFiles }
        let error = ExportError(opening: name, errno: reason)
        let canHeal = [EIO, ESTALE, ETIMEDOUT].contains(reason)
        return .outcome(.failed(Failure(error), retryable: canHeal))
    }
}
