internal import Foundation
internal import TakeupDigest
internal import TakeupModel
internal import TakeupTimeline

/// Names a piece of work by everything that its result depends on, wherever it came from.
enum WorkKey {
    /// Raised when the engine makes another file of the same sources.
    static let engineVersion = 4

    /// Absent values are not written: the first releases made keys without `media` and `fastStart`.
    private struct Fields: Encodable {
        let engine = WorkKey.engineVersion
        let sources: [String]
        /// Which tracks each track of the composition takes; nil for one track of everything.
        let media: [Composition.Media]?
        /// Which parts of the sources are taken; nil for whole ones.
        let parts: [String]?
        let start: String?
        let duration: String?
        let preset: String
        let copy: ExportSettings.CopyPolicy
        let onTruncated: ExportSettings.OnTruncated
        /// A result that was decoded whole is another than one that was not.
        let isDecodedWhole: Bool
        let metadata: [String: String]
        let stripsMetadata: Bool
        let sizeLimit: Int64?
        /// nil leaves it to the preset.
        let fastStart: Bool?
    }

    /// - Parameters:
    ///   - request: What is exported, and how.
    ///   - digests: The SHA-256 of each source, in order.
    /// - Throws: For a preset that JSON cannot hold.
    /// - Returns: 64 lower-case hexadecimal digits.
    static func make(_ request: ExportRequest, digests: [String]) throws -> String {
        let (tracks, settings) = (request.composition.tracks, request.settings)
        let fields = Fields(
            sources: digests, media: tracks.map(\.media) == [.all] ? nil : tracks.map(\.media),
            parts: request.composition.parts,
            start: settings.timeRange.map { fraction($0.start) },
            duration: settings.timeRange?.duration.map(fraction),
            preset: try request.preset.canonicalJSON(), copy: settings.copy,
            onTruncated: settings.onTruncated,
            isDecodedWhole: settings.verification == .full, metadata: settings.metadata,
            stripsMetadata: settings.stripsMetadata, sizeLimit: settings.fileLengthLimit,
            fastStart: settings.shouldOptimizeForNetworkUse)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return SHA256Digest.of(String(decoding: try encoder.encode(fields), as: UTF8.self))
    }

    private static func fraction(_ time: MediaTime) -> String { "\(time.value)/\(time.timescale)" }
}
