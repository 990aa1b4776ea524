public import TakeupTimeline

/// What a user may ask of an export besides its preset.
public struct ExportSettings: Sendable, Equatable, Codable {
    /// What to do when the output's path is taken.
    public enum Overwrite: String, Sendable, CaseIterable, Codable {
        case fail, replace
        /// Picks the next free name: `clip-1.mp4`, `clip-2.mp4`, …
        case unique
    }

    /// What to do with a source that is cut short or damaged.
    public enum OnTruncated: String, Sendable, CaseIterable, Codable {
        case fail, salvage
    }

    /// How the finished file is checked before it is published.
    public enum Verification: String, Sendable, CaseIterable, Codable {
        /// Reopened; streams, durations and counts compared with the plan.
        case quick
        /// As `quick`, and every frame decoded.
        case full
        case none
    }

    /// Whether a track that already meets the preset may be copied.
    public enum CopyPolicy: String, Sendable, CaseIterable, Codable {
        case auto, never
    }

    /// Part of the composition to export; nil exports all.
    public var timeRange: TimeRange?
    public var overwrite = Overwrite.fail
    public var onTruncated = OnTruncated.fail
    public var verification = Verification.quick
    public var copy = CopyPolicy.auto
    /// Added to the source's metadata; an empty value removes the key.
    public var metadata: [String: String] = [:]
    /// Leaves out all metadata and chapters of the source.
    public var stripsMetadata = false
    /// What a user may limit the output to, in bytes.
    public static let fileLengthLimits: ClosedRange<Int64> = 1...1_000_000_000_000_000

    /// Bytes that the output must not exceed; nil leaves the preset's own limit.
    public var fileLengthLimit: Int64?
    /// Whether the index is before the media; with nil the preset decides.
    public var shouldOptimizeForNetworkUse: Bool?
    /// Whether the report tells the finished file's SHA-256.
    public var computesChecksum = true
    /// Threads of each video encoder, 1 or more; nil leaves it to the encoder, which takes what the machine has.
    ///
    /// Some encoders write other bytes with another number.
    public var encoderThreads: Int?
    /// Where to write a representative frame, after the video: a JPEG or PNG, as the name says; nil writes none.
    public var posterPath: String?

    public init() {}
}

extension ExportSettings {
    /// Reads what an earlier release wrote, too: a field that is not there has its default.
    ///
    /// - Throws: `DecodingError` for a policy that this release does not know.
    public init(from decoder: any Decoder) throws {
        self.init()
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) throws {
            value = try fields.decodeIfPresent(Value.self, forKey: key) ?? value
        }
        timeRange = try fields.decodeIfPresent(TimeRange.self, forKey: .timeRange)
        try read(.overwrite, &overwrite)
        try read(.onTruncated, &onTruncated)
        try read(.verification, &verification)
        try read(.copy, &copy)
        try read(.metadata, &metadata)
        try read(.stripsMetadata, &stripsMetadata)
        fileLengthLimit = try fields.decodeIfPresent(Int64.self, forKey: .fileLengthLimit)
        shouldOptimizeForNetworkUse = try fields.decodeIfPresent(
            Bool.self, forKey: .shouldOptimizeForNetworkUse)
        try read(.computesChecksum, &computesChecksum)
        encoderThreads = try fields.decodeIfPresent(Int.self, forKey: .encoderThreads)
        posterPath = try fields.decodeIfPresent(String.self, forKey: .posterPath)
    }
}
