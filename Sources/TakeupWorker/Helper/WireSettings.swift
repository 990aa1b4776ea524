internal import TakeupExport
internal import TakeupTimeline

/// An export's settings as they travel to a helper, with times exact.
struct WireSettings: Sendable, Equatable, Codable {
    private struct Time: Equatable, Codable {
        let value: Int64
        let timescale: Int64

        init(_ time: MediaTime) { (value, timescale) = (time.value, time.timescale) }

        var time: MediaTime { MediaTime(value: value, timescale: max(1, timescale)) }
    }

    private var start: Time?
    private var duration: Time?
    private var onTruncated: String
    private var verification: String
    private var copy: String
    private var metadata: [String: String]
    private var stripsMetadata: Bool
    private var fileLengthLimit: Int64?
    private var optimizes: Bool?
    private var computesChecksum: Bool
    private var encoderThreads: Int?

    init(_ settings: ExportSettings) {
        start = settings.timeRange.map { Time($0.start) }
        duration = settings.timeRange?.duration.map { Time($0) }
        onTruncated = settings.onTruncated.rawValue
        verification = settings.verification.rawValue
        copy = settings.copy.rawValue
        metadata = settings.metadata
        stripsMetadata = settings.stripsMetadata
        fileLengthLimit = settings.fileLengthLimit
        optimizes = settings.shouldOptimizeForNetworkUse
        computesChecksum = settings.computesChecksum
        encoderThreads = settings.encoderThreads
    }

    var settings: ExportSettings {
        var settings = ExportSettings()
        settings.timeRange = start.map {
            TimeRange(start: $0.time, duration: duration?.time)
        }
        settings.onTruncated = ExportSettings.OnTruncated(rawValue: onTruncated) ?? .fail
        settings.verification = ExportSettings.Verification(rawValue: verification) ?? .full
        settings.copy = ExportSettings.CopyPolicy(rawValue: copy) ?? .auto
        settings.metadata = metadata
        settings.stripsMetadata = stripsMetadata
        settings.fileLengthLimit = fileLengthLimit
        settings.shouldOptimizeForNetworkUse = optimizes
        settings.computesChecksum = computesChecksum
        settings.encoderThreads = encoderThreads
        return settings
    }
}
