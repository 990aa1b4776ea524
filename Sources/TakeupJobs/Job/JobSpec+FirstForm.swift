internal import Foundation
package import TakeupModel
internal import TakeupTimeline

extension JobSpec {
    /// A job as releases up to 1.0 stored it.
    ///
    /// Their databases are still read. Names that were made from this text, of jobs and of a watched folder's work, must
    /// stay the same, so they are still made from it.
    package struct FirstForm: Codable {
        struct Preset: Codable {
            let name: String
            /// The preset's JSON, keys sorted.
            let content: String
        }

        var version = 1
        package var id: JobID
        var sources: [String]
        var preset: Preset
        /// Fractions such as `1001/30000`.
        var start: String?
        var duration: String?
        package var output: String?
        package var overwrite: String
        var onTruncated: ExportSettings.OnTruncated
        package var verify: String
        var copy: ExportSettings.CopyPolicy
        var metadata: [String: String]
        var stripsMetadata: Bool
        var sizeLimit: Int64?
        package var expiresSeconds: Double?
        package var priority: Int
        package var retries: Int
        var followsLinks: Bool?
        var notBefore: Double?
        var timeoutSeconds: Double?
        var onReplaced: OnReplaced?
        var attributes: String?
    }
}

extension JobSpec.FirstForm {
    /// - Throws: `PresetError` for numbers that JSON cannot hold.
    package init(_ spec: JobSpec) throws(PresetError) {
        let (request, settings) = (spec.request, spec.request.settings)
        id = spec.id
        sources = request.sources
        preset = Preset(
            name: request.preset.name, content: try request.preset.canonicalJSON())
        start = settings.timeRange.map { Self.fraction($0.start) }
        duration = settings.timeRange?.duration.map(Self.fraction)
        output = request.output
        (overwrite, verify) = (settings.overwrite.rawValue, settings.verification.rawValue)
        (onTruncated, copy) = (settings.onTruncated, settings.copy)
        (metadata, stripsMetadata) = (settings.metadata, settings.stripsMetadata)
        sizeLimit = settings.fileLengthLimit
        (expiresSeconds, priority, retries) = (spec.expiresSeconds, spec.priority, spec.retries)
        followsLinks = spec.followsLinks ? nil : false
        (notBefore, timeoutSeconds) = (spec.notBefore, spec.timeoutSeconds)
        onReplaced = spec.onReplaced == .fail ? nil : spec.onReplaced
        attributes = spec.attributes == .system ? nil : spec.attributes.rawValue
    }

    /// - Throws: `DecodingError` or `PresetError` for a value that no release wrote.
    func spec() throws -> JobSpec {
        var settings = ExportSettings()
        if start != nil || duration != nil {
            settings.timeRange = TimeRange(
                start: try start.map(Self.time) ?? .zero, duration: try duration.map(Self.time))
        }
        settings.overwrite = try Self.known(overwrite)
        settings.verification = try Self.known(verify)
        (settings.onTruncated, settings.copy) = (onTruncated, copy)
        (settings.metadata, settings.stripsMetadata) = (metadata, stripsMetadata)
        settings.fileLengthLimit = sizeLimit
        var spec = JobSpec(
            id: id,
            ExportRequest(
                Composition(joining: sources),
                preset: try ExportPreset.decode(Data(preset.content.utf8), from: preset.name),
                output: output, settings: settings))
        (spec.expiresSeconds, spec.priority, spec.retries) = (expiresSeconds, priority, retries)
        spec.followsLinks = followsLinks ?? true
        (spec.notBefore, spec.timeoutSeconds) = (notBefore, timeoutSeconds)
        spec.onReplaced = onReplaced ?? .fail
        spec.attributes = try attributes.map(Self.known) ?? .system
        return spec
    }

    private static func known<Value: RawRepresentable<String>>(_ word: String) throws -> Value {
        guard let value = Value(rawValue: word) else { throw unreadable(word) }
        return value
    }

    private static func time(_ text: String) throws -> MediaTime {
        guard let time = MediaTime(parsing: text) else { throw unreadable(text) }
        return time
    }

    private static func unreadable(_ text: String) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(codingPath: [], debugDescription: "'\(text)' is not known"))
    }

    private static func fraction(_ time: MediaTime) -> String { "\(time.value)/\(time.timescale)" }
}
