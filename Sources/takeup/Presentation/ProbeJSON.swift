import TakeupModel
import TakeupTimeline

/// All that is known about an asset, as JSON.
enum ProbeJSON {
    static func value(_ asset: AssetDescription) -> JSONValue {
        [
            "name": .text(asset.name),
            "container": .text(asset.container), "bytes": asset.bytes.map { .integer($0) } ?? .null,
            "duration": .time(asset.duration), "startTime": .time(asset.startTime),
            "playable": .flag(asset.isPlayable), "exportable": .flag(asset.isExportable),
            "protected": .flag(asset.hasProtectedContent),
            "notPlayableReason": .text(optional: asset.notPlayableReason),
            "notExportableReason": .text(optional: asset.notExportableReason),
            "protectionReason": .text(optional: asset.protectionReason),
            "tracks": .list(asset.tracks.map(track)),
            "chapters": .list(
                asset.chapters.map {
                    [
                        "start": .time($0.start), "end": .time($0.end), "title": .text($0.title),
                    ]
                }),
            "metadata": .words(asset.metadata),
            "loss": asset.loss?.json ?? .null,
            "warnings": .list(asset.warnings.map(\.json)),
        ]
    }

    private static func track(_ track: AssetTrack) -> JSONValue {
        let common: JSONValue = [
            "index": .integer(Int64(track.index)), "type": .text(track.type.rawValue),
            "codec": .text(track.codec), "codecTag": .text(optional: track.codecTag),
            "profile": .text(optional: track.profile), "decodable": .flag(track.isDecodable),
            "protected": .flag(track.isProtected), "startTime": .time(track.startTime),
            "duration": .time(track.duration), "samples": .whole(track.declaredSamples),
            "bitRate": .whole(track.bitRate), "language": .text(optional: track.language),
            "title": .text(optional: track.title), "default": .flag(track.isDefault),
            "forced": .flag(track.isForced), "timeBase": .text("\(track.timeBase)"),
        ]
        return common.adding(track.video.map(video)).adding(track.audio.map(audio))
    }

    private static func video(_ video: VideoTraits) -> JSONValue {
        let size = video.displaySize
        return [
            "width": .whole(video.width), "height": .whole(video.height),
            "displayWidth": .whole(size.width), "displayHeight": .whole(size.height),
            "sampleAspect": .text("\(video.sampleAspect)"),
            "rotation": .whole(video.orientation.clockwiseDegrees),
            "mirrored": .flag(video.orientation.isMirrored),
            "frameRate": rate(video.averageFrameRate),
            "nominalFrameRate": rate(video.nominalFrameRate),
            "frameRateMode": .text(video.frameRateMode.rawValue),
            "pixelFormat": .text(video.pixelFormat), "bitDepth": .whole(video.bitDepth),
            "alpha": .flag(video.hasAlpha), "scan": .text(video.scan.rawValue),
            "color": color(video.color), "hdr": video.hdr.map(hdr) ?? .null,
            "dolbyVisionProfile": .whole(video.dolbyVisionProfile),
            "reorderDelay": .whole(video.reorderDelay),
        ]
    }

    private static func audio(_ audio: AudioTraits) -> JSONValue {
        [
            "channels": .whole(audio.channels),
            "channelLayout": .text(optional: audio.channelLayout),
            "sampleRate": .whole(audio.sampleRate), "sampleFormat": .text(audio.sampleFormat),
        ]
    }

    private static func color(_ color: ColorTags) -> JSONValue {
        [
            "primaries": .text(optional: color.primaries),
            "transfer": .text(optional: color.transfer), "matrix": .text(optional: color.matrix),
            "range": .text(optional: color.range),
            "chromaLocation": .text(optional: color.chromaLocation), "hdr": .flag(color.isHDR),
        ]
    }

    private static func hdr(_ hdr: HDRMetadata) -> JSONValue {
        [
            "chromaticities": .list(hdr.chromaticities.map { .text("\($0)") }),
            "minimumLuminance": .text(optional: hdr.minimumLuminance?.description),
            "maximumLuminance": .text(optional: hdr.maximumLuminance?.description),
            "maximumContentLightLevel": .whole(hdr.maximumContentLightLevel),
            "maximumFrameAverageLightLevel": .whole(hdr.maximumFrameAverageLightLevel),
        ]
    }

    /// Frames a second, to three decimals.
    private static func rate(_ rate: Ratio?) -> JSONValue { .measured(rate?.doubleValue) }
}

extension JSONValue {
    /// The members of both objects.
    fileprivate func adding(_ other: JSONValue?) -> JSONValue {
        guard case .object(let members) = self, case .object(let more) = other else { return self }
        return .object(members + more)
    }
}
