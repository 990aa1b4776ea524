internal import Foundation
internal import TakeupDigest
internal import TakeupJobs
internal import TakeupModel

/// Names a piece of work by everything that its result depends on, wherever it came from.
enum WorkKey {
    /// Raised when the engine makes another file of the same sources.
    static let engineVersion = 3

    private struct Fields: Encodable {
        let engine = WorkKey.engineVersion
        let sources: [String]
        let start: ExactTime?
        let duration: ExactTime?
        let preset: String
        let copy: String
        let onTruncated: String
        /// A result that was decoded whole is another than one that was not.
        let isDecodedWhole: Bool
        let metadata: [String: String]
        let stripsMetadata: Bool
        let sizeLimit: Int64?
    }

    /// - Parameters:
    ///   - spec: What the job shall do.
    ///   - digests: The SHA-256 of each source, in order.
    /// - Throws: When there is no memory for it.
    /// - Returns: 64 lower-case hexadecimal digits.
    static func make(_ spec: JobSpec, digests: [String]) throws -> String {
        let fields = Fields(
            sources: digests, start: spec.start, duration: spec.duration,
            preset: spec.preset.content, copy: spec.copy.rawValue,
            onTruncated: spec.onTruncated.rawValue,
            isDecodedWhole: spec.verify == .full, metadata: spec.metadata,
            stripsMetadata: spec.stripsMetadata, sizeLimit: spec.sizeLimit)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try SHA256Digest.of(String(decoding: encoder.encode(fields), as: UTF8.self))
    }
}
