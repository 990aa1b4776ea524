public import TakeupModel

/// One export for a helper; the files themselves go along as open descriptors.
public struct HelperRequest: Sendable, Equatable, Codable {
    /// Its sources and its output are what messages and the report call them: a helper opens nothing by a name.
    ///
    /// Overwriting and the poster's path mean nothing here.
    public var request: ExportRequest
    /// The lengths of those that are still being fetched, by their places among the sources.
    ///
    /// A descriptor goes along for each source; behind such a one a second, a `SourceFeed`'s.
    public var remoteLengths: [Int: Int64]
    /// What the poster is written as; nil for none.
    ///
    /// Its file follows the output's.
    public var poster: PosterFormat?

    /// - Parameters:
    ///   - request: As the door made it.
    ///   - sourceNames: What the sources are called in messages, in order: addresses without their secrets.
    ///   - remoteLengths: Of those that are being fetched.
    public init(
        _ request: ExportRequest, sourceNames: [String], remoteLengths: [Int: Int64] = [:]
    ) {
        var names = sourceNames.makeIterator()
        self.request = request
        self.request.composition = request.composition.renamingSources { names.next() ?? $0 }
        self.remoteLengths = remoteLengths
    }
}
