public import TakeupModel

/// What the command line says about every job of a list that does not say otherwise itself.
public struct BatchOptions: Sendable, Equatable {
    /// A shipped preset's name, or a file's path.
    public var preset = ExportPreset.defaultName
    /// What is changed of every job's preset.
    public var presetChanges: [PresetChange] = []
    /// The user's own presets, which jobs may name, too.
    public var presetFolder: PresetFolder?
    /// Absolute; nil keeps results in the cache alone, except those of jobs that name an output.
    public var outputFolder: String?
    public var settings = ExportSettings()
    /// How long a result is kept, in seconds; nil leaves it to the cache.
    public var expiresSeconds: Double?
    /// -1000 to 1000.
    public var priority = 0
    /// 0 to 100.
    public var retries = 3
    /// Of jobs that name none.
    public var queue: String?
    public var tags: [String] = []
    public var key: String?
    /// What jobs may name; nil lets them name every path, over links too.
    public var paths: PathRule?

    public init() {}
}
