public import TakeupModel

/// One export for a helper; the files themselves go along as open descriptors.
public struct HelperRequest: Sendable, Equatable, Codable {
    /// Its sources and its output are what messages and the report call them: a helper opens nothing by a name.
    ///
    /// Overwriting and the poster's path mean nothing here.
    public var request: ExportRequest
    public var files: HelperFiles
    /// What the poster is written as; nil for none.
    ///
    /// Its file follows the output's.
    public var poster: PosterFormat?

    /// - Parameters:
    ///   - request: As the door made it.
    ///   - sourceNames: What the sources are called in messages, in order: addresses without their secrets.
    ///   - files: What is handed over of them; nil for one open file for each source.
    public init(_ request: ExportRequest, sourceNames: [String], files: HelperFiles? = nil) {
        var names = sourceNames.makeIterator()
        self.request = request
        self.request.composition = request.composition.renamingSources { names.next() ?? $0 }
        self.files = files ?? HelperFiles(places: Array(sourceNames.indices))
    }
}

/// How a task's sources are handed to a helper.
///
/// The open descriptors of a task are in this order: one end of a connection to a `SourceDesk` if any file comes late;
/// then, for each file that does not, its own, and behind one that is still being fetched a second, a `SourceFeed`'s.
public struct HelperFiles: Sendable, Equatable, Codable {
    /// Which file each source is, in the sources' order: a file that comes several times is handed over once.
    public var places: [Int]
    /// The lengths of the files that are still being fetched, by file.
    public var remoteLengths: [Int: Int64]
    /// The lengths of the files that the helper asks for when it reads them, by file.
    public var lateLengths: [Int: Int64]

    public init(
        places: [Int], remoteLengths: [Int: Int64] = [:], lateLengths: [Int: Int64] = [:]
    ) {
        self.places = places
        (self.remoteLengths, self.lateLengths) = (remoteLengths, lateLengths)
    }

    /// Number of files.
    package var count: Int { (places.max() ?? -1) + 1 }

    /// Number of open descriptors that go along.
    package var descriptorCount: Int {
        count - lateLengths.count + remoteLengths.count + (lateLengths.isEmpty ? 0 : 1)
    }

    /// Finds out which sources are the same file.
    ///
    /// - Parameter keys: Of each source, equal for one file.
    /// - Returns: Which file each source is; files are numbered as they first come.
    package static func places<Key: Hashable>(of keys: [Key]) -> [Int] {
        var known: [Key: Int] = [:]
        return keys.map { key in
            let place = known[key] ?? known.count
            known[key] = place
            return place
        }
    }
}
