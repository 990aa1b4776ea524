/// What is done with files of which all its conditions hold.
///
/// A condition on what is not known of a file does not hold. Names of codecs are compared without
/// regard to case, and languages by what they mean: `de` is `deu` and `ger`.
public struct WatchRule: Sendable, Equatable {
    /// What a rule says, or leaves to the defaults where it is nil.
    public struct Result: Sendable, Equatable {
        public var preset: String?
        /// Changes of the preset's fields, each `KEY=VALUE`.
        public var presetChanges: [String] = []
        public var priority: Int?
        public var output: OutputTemplate?
        /// The reason for which the file is left alone.
        public var skip: String?
        /// Whether the source is kept where the output would not be smaller.
        public var keepIfSmaller: Bool?

        public init(
            preset: String? = nil, priority: Int? = nil, output: OutputTemplate? = nil,
            skip: String? = nil, keepIfSmaller: Bool? = nil
        ) {
            (self.preset, self.priority, self.output, self.skip) = (preset, priority, output, skip)
            self.keepIfSmaller = keepIfSmaller
        }

        /// Whether it says anything about what is to be made.
        public var isWork: Bool {
            preset != nil || !presetChanges.isEmpty || priority != nil || output != nil
                || keepIfSmaller != nil
        }
    }

    static let mostGlobs = 100

    /// One of them matches, when there are any.
    ///
    /// One without `/` is of last names.
    public var globs: [GlobPattern] = []
    public var minBytes: Int64?
    public var maxBytes: Int64?
    public var minSeconds: Double?
    public var maxSeconds: Double?
    public var minWidth: Int?
    public var maxWidth: Int?
    public var minHeight: Int?
    public var maxHeight: Int?
    public var videoCodec: String?
    public var audioCodec: String?
    /// One of the sound tracks has it.
    public var language: String?
    public var hasVideo: Bool?
    public var result = Result()

    /// Creates a rule that matches every file and changes no setting.
    public init() {}

    /// Whether Takeup must inspect the file before it can decide about this rule.
    public var needsMedia: Bool {
        let numbers: [Any?] = [
            minSeconds, maxSeconds, minWidth, maxWidth, minHeight, maxHeight,
        ]
        let names: [Any?] = [videoCodec, audioCodec, language, hasVideo]
        return (numbers + names).contains { $0 != nil }
    }
}
