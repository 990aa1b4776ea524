internal import Foundation
internal import TakeupFetch
internal import TakeupFiles
internal import TakeupMediaClient
internal import TakeupModel
internal import TakeupOutput
internal import TakeupProcess

/// A source of one command: a file by its path, or an address that is being fetched.
public enum MediaSource: Sendable {
    case file(String)
    /// A file whose path may have no symbolic link.
    case unlinkedFile(String)
    case remote(LoaderSource)

    /// The path, or the address without its secrets.
    public var name: String {
        switch self {
        case .file(let path), .unlinkedFile(let path): path
        case .remote(let source): source.name
        }
    }
}

/// Sources, open for a helper, until the object ends.
///
/// Where there are many files, they are only looked at here, and opened when the helper reads them.
final class OpenMedia {
    /// What one file or address is known by.
    private enum Key: Hashable {
        case file(String)
        case remote(ObjectIdentifier)
    }

    private var descriptorsToClose: [Int32] = []
    private var feeds: [SourceFeed] = []
    private var desk: SourceDesk?
    /// What goes along to the helper, in order.
    private(set) var descriptors: [Int32] = []
    /// Which of these each source is.
    private(set) var files: HelperFiles

    /// - Throws: `ExportError` for a source that cannot be opened.
    init(_ sources: [MediaSource]) throws(ExportError) {
        files = HelperFiles(
            places: HelperFiles.places(
                of: sources.map { source -> Key in
                    switch source {
                    case .file(let path), .unlinkedFile(let path): .file(path)
                    case .remote(let remote): .remote(ObjectIdentifier(remote))
                    }
                }))
        var isKnown = Set<Int>()
        let distinct = zip(files.places, sources).filter { isKnown.insert($0.0).inserted }
        let local = distinct.filter { if case .remote = $0.1 { false } else { true } }
        let comesLate = local.count > SourceDesk.mostHanded
        var late: [Int: LocalFile] = [:]
        for (place, source) in distinct {
            switch source {
            case .file(let path): try add(path, true, at: place, &late, comesLate)
            case .unlinkedFile(let path): try add(path, false, at: place, &late, comesLate)
            case .remote(let remote):
                do throws(FetchError) {
                    let feed = try SourceFeed(remote, passesBytes: true)
                    feeds.append(feed)
                    descriptors += feed.descriptors
                    files.remoteLengths[place] = remote.byteCount
                } catch {
                    remote.note(error)
                    throw .inputUnreadable(remote.name, reason: "\(error)")
                }
            }
        }
        guard comesLate else { return }
        do throws(ProcessError) {
            let desk = try SourceDesk(late)
            self.desk = desk
            files.lateLengths = late.mapValues(\.identity.bytes)
            descriptors.insert(desk.descriptor, at: 0)
        } catch {
            throw ExportError(opening: sources[0].name, errno: error.errno)
        }
    }

    deinit {
        for feed in feeds { feed.stop() }
        desk?.stop()
        for file in descriptorsToClose { close(file) }
    }

    /// Whether the helper waits for bytes of any of them.
    var isWaiting: Bool { feeds.contains(where: \.isWaiting) }

    /// Why a file could not be opened when the helper read it.
    var fault: ExportError? { desk?.fault }

    private func add(
        _ path: String, _ followsLinks: Bool, at place: Int, _ late: inout [Int: LocalFile],
        _ comesLate: Bool
    ) throws(ExportError) {
        let descriptor = LocalFile.open(path, followsLinks: followsLinks)
        guard descriptor >= 0 else { throw ExportError(opening: path, errno: errno) }
        guard let identity = FileIdentity(descriptor: descriptor) else {
            var facts = stat()
            let isFolder = fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
            close(descriptor)
            throw ExportError(opening: path, errno: isFolder ? EISDIR : EINVAL)
        }
        guard comesLate else {
            descriptorsToClose.append(descriptor)
            descriptors.append(descriptor)
            return
        }
        close(descriptor)
        late[place] = LocalFile(path: path, followsLinks: followsLinks, identity: identity)
    }
}
