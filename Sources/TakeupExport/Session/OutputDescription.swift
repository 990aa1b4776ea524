internal import TakeupFFmpeg
internal import TakeupTimeline

/// Describes the plan's tracks for the output container.
enum OutputDescription {
    static func video(
        _ video: VideoTrackPlan, _ plan: ExportPlan, _ inputs: RunInputs
    ) -> OutputStream {
        var description = OutputStream(timeBase: TimeBase(1, 90_000))
        description.language = video.language
        description.title = video.title
        description.isDefault = true
        let segment = video.segments[0]
        let stream = inputs.assets[segment.source].streams.first { $0.index == segment.track }
        let traits = inputs.assets[segment.source].description.tracks.first {
            $0.index == segment.track
        }?.video
        description.frameRate = traits?.averageFrameRate ?? traits?.nominalFrameRate
        switch video.mode {
        case .copy:
            description.displayMatrix = stream?.displayMatrix
            description.masteringDisplay = stream?.masteringDisplay
            description.contentLight = stream?.contentLight
            if stream?.codec == "hevc" { description.codecTag = "hvc1" }
        case .encode(let encoding):
            description.timeBase = TimeBase(1, Int32(clamping: encoding.timing.timescale))
            description.frameRate = encoding.frameRate ?? description.frameRate
            if encoding.encoder == "libx265" { description.codecTag = "hvc1" }
            if encoding.hdr != nil, let track = segment.track {
                let first = inputs.assets[segment.source].firstFrames[track]
                description.masteringDisplay = stream?.masteringDisplay ?? first?.masteringDisplay
                description.contentLight = stream?.contentLight ?? first?.contentLight
            }
        }
        return description
    }

    static func audio(_ audio: AudioTrackPlan) -> OutputStream {
        var rate: Int32 = 48_000
        if case .encode(let encoding) = audio.mode { rate = Int32(encoding.sampleRate) }
        var description = OutputStream(timeBase: TimeBase(1, rate))
        description.language = audio.language
        description.title = audio.title
        description.isDefault = audio.isDefault
        return description
    }

    static func subtitle(_ subtitle: SubtitleTrackPlan) -> OutputStream {
        var description = OutputStream(timeBase: SubtitleStage.timeBase)
        description.language = subtitle.language
        description.title = subtitle.title
        description.isDefault = subtitle.isDefault
        description.isForced = subtitle.isForced
        return description
    }
}
