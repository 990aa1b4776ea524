internal import TakeupFiles
internal import TakeupLanes
package import TakeupWatch

/// Folders that no source is taken from, known by what they are: any path may lead to them.
///
/// Each watched folder's lane looks at its own alone, so that a disk that hangs holds up nobody else.
package final class OwnPlaces: Sendable {
    private struct Entry: Sendable {
        /// The watched folder that it belongs to.
        let owner: String
        let path: String
        /// For people.
        let name: String
        var place: FilePlace?
    }

    private let entries: Locked<[Entry]>

    /// Looks at nothing yet.
    ///
    /// - Parameters:
    ///   - requests: Every watched folder.
    ///   - shared: The daemon's other folders, each with a name for people.
    package init(_ requests: [WatchRequest], shared: [(path: String, name: String)] = []) {
        var entries: [Entry] = []
        for request in requests {
            var own = [
                (request.folder, "the watched folder"),
                (request.done, "the folder for done sources"),
                (request.failed, "the folder for failed sources"),
            ]
            if let output = request.output { own.append((output, "the output folder")) }
            entries += own.map { path, name in
                Entry(owner: request.folder, path: path, name: name)
            }
        }
        let first = requests.first?.folder ?? ""
        entries += shared.map { path, name in
            Entry(owner: first, path: path, name: name)
        }
        self.entries = Locked(entries)
    }

    /// Looks again at what belongs to a watched folder: disks come and go.
    package func look(for owner: String) {
        let paths = entries.withLock { $0.filter { $0.owner == owner }.map(\.path) }
        let found = paths.map { FilePlace(path: $0) }
        entries.withLock { entries in
            for (path, place) in zip(paths, found) {
                for index in entries.indices where entries[index].path == path {
                    entries[index].place = place
                }
            }
        }
    }

    /// Why a folder inside a watched one is not entered; nil for one that is.
    package func refusal(of place: FilePlace) -> String? {
        entries.withLock { entries in
            entries.first { $0.place == place }.map {
                "it is \($0.name) \($0.path) by another path"
            }
        }
    }
}
