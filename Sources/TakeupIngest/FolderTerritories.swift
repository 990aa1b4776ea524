package import TakeupFiles
package import TakeupModel
internal import TakeupWatch

/// Whether watched folders, and those that a daemon writes to, lie in each other's way, whichever paths lead to them.
package struct FolderTerritories {
    private let requests: [WatchRequest]
    private let home: String
    private let cache: String
    private let mounts: MountTable

    /// - Parameters:
    ///   - requests: Every watched folder.
    ///   - home: The folder of the database.
    ///   - cache: That of results.
    ///   - mounts: What is mounted where.
    package init(
        _ requests: [WatchRequest], home: String, cache: String,
        mounts: MountTable = .current()
    ) {
        (self.requests, self.mounts) = (requests, mounts)
        (self.home, self.cache) = (Folder.resolved(home), Folder.resolved(cache))
    }

    /// - Throws: With 78: an output below a watched folder would be taken for a source.
    package func check() throws(Failure) {
        for (number, request) in requests.enumerated() {
            try checkApart(request, requests[..<number])
        }
        for request in requests {
            try checkOutputs(request)
            try checkAsides(request)
        }
    }

    private func checkApart(
        _ request: WatchRequest, _ others: ArraySlice<WatchRequest>
    ) throws(Failure) {
        for other in others {
            let (inner, outer) = (
                way(request.folder, other.folder), way(other.folder, request.folder)
            )
            if let inner, let outer {
                let words =
                    inner == .path && outer == .path ? "" : ", also as \(other.folder), by a mount"
                throw .watch(
                    .configuration, "the folder \(request.folder) is to be watched twice\(words)",
                    hint: "name it once")
            }
            guard let way = inner ?? outer else { continue }
            throw .watch(
                .configuration,
                "\(request.folder) and \(other.folder) lie in each other\(way.words)",
                hint: "watch the outer one alone")
        }
    }

    private func checkOutputs(_ request: WatchRequest) throws(Failure) {
        var places = requests.compactMap { $0.output.map { ($0, "the output folder") } }
        places += [(home, "the folder of the database"), (cache, "the cache")]
        for (path, name) in places {
            guard let way = way(path, request.folder) else { continue }
            throw .watch(
                .configuration,
                "\(name) \(path) lies in the watched folder \(request.folder)\(way.words)",
                hint: "Takeup would take outputs there for sources: choose a folder outside")
        }
        for output in requests.lazy.compactMap(\.output) {
            guard let way = way(request.folder, output) else { continue }
            throw .watch(
                .configuration,
                "the watched folder \(request.folder) lies in the output folder \(output)\(way.words)",
                hint: "Takeup could write outputs among the sources: separate the two folders")
        }
    }

    private func checkAsides(_ request: WatchRequest) throws(Failure) {
        let asides = [
            (request.done, "the folder for done sources"),
            (request.failed, "the folder for failed sources"),
        ]
        for (path, name) in asides {
            if way(path, request.folder) != nil, way(request.folder, path) != nil {
                throw .watch(
                    .configuration, "\(name) is the watched folder itself",
                    hint: "choose another folder")
            }
            for other in requests where other.folder != request.folder {
                guard let way = way(path, other.folder) else { continue }
                throw .watch(
                    .configuration,
                    "\(name), \(path), lies in the watched folder \(other.folder)\(way.words)",
                    hint: "what is put there would be taken for sources: choose another folder")
            }
        }
    }

    /// How one folder lies in another.
    private enum Way {
        case path
        /// Their paths do not tell: a bind mount, or another mount of the same file system, leads there.
        case mount

        var words: String { self == .path ? "" : ", which a mount shows by another path" }
    }

    private func way(_ path: String, _ folder: String) -> Way? {
        if Folder.path(from: folder, to: path) != nil { return .path }
        guard let place = mounts.place(of: path) else { return nil }
        return mounts.places(in: folder).contains { place.lies(in: $0) } ? .mount : nil
    }
}
