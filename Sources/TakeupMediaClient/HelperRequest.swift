public import TakeupModel

/// One export for a helper; the files themselves go along as open descriptors.
public struct HelperRequest: Sendable, Equatable, Codable {
    /// What the sources are called in messages, in order.
    public var sourceNames: [String]
    /// The lengths of those that are still being fetched, by their places among the names.
    ///
    /// A descriptor goes along for each source; behind such a one a second, a `SourceFeed`'s.
    public var remoteLengths: [Int: Int64] = [:]
    /// Whether the first source gives the pictures and the second the sound; else all are joined in order.
    public var splitsVideoAndAudio = false
    /// What the output is called in messages and in the report.
    public var outputName: String
    /// What the poster is written as; nil for none.
    ///
    /// Its file follows the output's.
    public var poster: PosterFormat?
    public var preset: ExportPreset
    /// Overwriting and the poster's path mean nothing here: a helper knows no names.
    public var settings: ExportSettings

    public init(
        sourceNames: [String], outputName: String, preset: ExportPreset,
        settings: ExportSettings = ExportSettings()
    ) {
        (self.sourceNames, self.outputName) = (sourceNames, outputName)
        (self.preset, self.settings) = (preset, settings)
    }
}
