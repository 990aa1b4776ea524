internal import Foundation
internal import TakeupFetch
internal import TakeupFiles
internal import TakeupMediaClient
internal import TakeupModel
internal import TakeupOutput

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
final class OpenMedia {
    private var files: [Int32] = []
    private var feeds: [SourceFeed] = []
    /// What goes along to the helper, in order.
    private(set) var descriptors: [Int32] = []
    /// Lengths of the remote sources in bytes, by their index among all sources.
    private(set) var remoteLengths: [Int: Int64] = [:]

    /// - Throws: `ExportError` for a source that cannot be opened.
    init(_ sources: [MediaSource]) throws(ExportError) {
        for (place, source) in sources.enumerated() {
            switch source {
            case .file(let path): descriptors.append(try open(path, followsLinks: true))
            case .unlinkedFile(let path):
                descriptors.append(try open(path, followsLinks: false))
            case .remote(let remote):
                do throws(FetchError) {
                    let feed = try SourceFeed(remote, passesBytes: true)
                    feeds.append(feed)
                    descriptors += feed.descriptors
                    remoteLengths[place] = remote.byteCount
                } catch {
                    remote.note(error)
                    throw .inputUnreadable(remote.name, reason: "\(error)")
                }
            }
        }
    }

    deinit {
        for feed in feeds { feed.stop() }
        for file in files { close(file) }
    }

    /// Whether the helper waits for bytes of any of them.
    var isWaiting: Bool { feeds.contains(where: \.isWaiting) }

    private func open(_ path: String, followsLinks: Bool) throws(ExportError) -> Int32 {
        // Without O_NONBLOCK the open of a pipe would wait for a writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        let descriptor =
            followsLinks
            ? Foundation.open(path, flags) : AnchoredPath.openWithoutLinks(path, flags)
        guard descriptor >= 0 else { throw ExportError(opening: path, errno: errno) }
        files.append(descriptor)
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            let isFolder = facts.st_mode & S_IFMT == S_IFDIR
            throw ExportError(opening: path, errno: isFolder ? EISDIR : EINVAL)
        }
        return descriptor
    }
}
