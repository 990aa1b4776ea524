/// What `ffprobe` says of one stream; an absent fact is nil, as `ffprobe` leaves it out.
public struct ProbedStream: Decodable, Sendable {
    struct List: Decodable {
        let streams: [ProbedStream]
    }

    private enum CodingKeys: String, CodingKey {
        case index, profile, width, height, channels, disposition, tags
        case type = "codec_type"
        case codec = "codec_name"
        case codecTag = "codec_tag_string"
        case pixelFormat = "pix_fmt"
        case frameRate = "r_frame_rate"
        case averageFrameRate = "avg_frame_rate"
        case timeBase = "time_base"
        case sampleAspectRatio = "sample_aspect_ratio"
        case displayAspectRatio = "display_aspect_ratio"
        case fieldOrder = "field_order"
        case colorRange = "color_range"
        case colorSpace = "color_space"
        case colorTransfer = "color_transfer"
        case colorPrimaries = "color_primaries"
        case channelLayout = "channel_layout"
        case startTicks = "start_pts"
        case durationTicks = "duration_ts"
        case sampleRateText = "sample_rate"
        case startText = "start_time"
        case durationText = "duration"
        case frameCountText = "nb_frames"
        case countedFramesText = "nb_read_frames"
        case sideDataList = "side_data_list"
    }

    public let index: Int
    /// Such as `video`, `audio`, `subtitle`.
    public let type: String
    public let codec: String?
    /// The four characters in the container, such as `hvc1`.
    public let codecTag: String?
    public let profile: String?
    public let width: Int?
    public let height: Int?
    public let pixelFormat: String?
    /// `r_frame_rate`, such as `30000/1001`.
    public let frameRate: String?
    public let averageFrameRate: String?
    public let timeBase: String
    /// Such as `1:1`.
    public let sampleAspectRatio: String?
    public let displayAspectRatio: String?
    /// Such as `progressive` and `tt`.
    public let fieldOrder: String?
    /// Such as `tv` and `pc`.
    public let colorRange: String?
    public let colorSpace: String?
    public let colorTransfer: String?
    public let colorPrimaries: String?
    public let channels: Int?
    /// Such as `5.1`.
    public let channelLayout: String?
    /// In ticks of the time base.
    public let startTicks: Int64?
    /// In ticks of the time base.
    public let durationTicks: Int64?
    /// 1 for each that is set, such as `default`.
    public let disposition: [String: Int]?
    public let tags: [String: String]?
    private let sampleRateText: String?
    private let startText: String?
    private let durationText: String?
    private let frameCountText: String?
    private let countedFramesText: String?
    private let sideDataList: [[String: ProbedScalar]]?

    /// In hertz.
    public var sampleRate: Int? { sampleRateText.flatMap { Int($0) } }
    /// In seconds.
    public var start: Double? { startText.flatMap { Double($0) } }
    /// In seconds.
    public var duration: Double? { durationText.flatMap { Double($0) } }
    /// What the container declares, without decoding.
    public var declaredFrames: Int? { frameCountText.flatMap { Int($0) } }
    /// What decoding gave, when it was asked for.
    var countedFrames: Int? { countedFramesText.flatMap { Int($0) } }
    public var language: String? { tags?["language"] }

    /// The side data of one type, such as `Display Matrix`, nil when there is none.
    public func sideData(_ type: String) -> [String: String]? {
        let found = sideDataList?.first { $0["side_data_type"]?.text == type }
        return found?.mapValues(\.text)
    }

    /// The display matrix's rotation in degrees as `ffprobe` counts it, 0 without a matrix.
    public var rotation: Int {
        sideData("Display Matrix")?["rotation"].flatMap { Int($0) } ?? 0
    }
}
