/// What is exported, how, and to where: the same value from every door to the process that exports.
///
/// The command line, lists, watched folders and programs make it; the queue stores it, the work's key is made from it, and
/// `takeup-media` receives it.
public struct ExportRequest: Sendable, Equatable, Codable {
    public var composition: Composition
    public var preset: ExportPreset
    /// The output's path; nil names no output: a job's result stays in the cache alone.
    public var output: String?
    public var settings: ExportSettings

    public init(
        _ composition: Composition, preset: ExportPreset, output: String? = nil,
        settings: ExportSettings = ExportSettings()
    ) {
        (self.composition, self.preset) = (composition, preset)
        (self.output, self.settings) = (output, settings)
    }

    /// All that the composition opens: its media, then its fonts and subtitles.
    public var sources: [String] { composition.sources }
}
