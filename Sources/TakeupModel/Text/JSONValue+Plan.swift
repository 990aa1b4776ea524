internal import TakeupTimeline

extension ExportForecast {
    /// The plan, with what is known of the output beside it.
    package var json: JSONValue { plan.json(output: output) }
}

extension ExportPlan {
    /// The plan and what is known of its output.
    ///
    /// - Parameter output: The file that would be written; nil where only the cache gets one.
    /// - Returns: One object, as docs/SCRIPTING.md has it.
    package func json(output: String?) -> JSONValue {
        [
            "type": "plan", "duration": .time(duration),
            "output": [
                "path": .text(optional: output), "container": .text(container.rawValue),
                "duration": .time(duration),
                "expectedBytes": expectedSize.map { .integer($0.bytes) } ?? .null,
                "expectedBytesAre": expectedSize.map { .text($0.word) } ?? .null,
                "sizeLimit": sizeLimit.map(JSONValue.integer) ?? .null,
            ],
            "tracks": .list(tracks.map(\.json)), "dropped": .list(dropped.map(\.json)),
            "losses": .list(losses.map { .text($0.rawValue) }),
            "decisions": .list(
                decisions.map {
                    [
                        "subject": .text($0.subject), "choice": .text($0.choice),
                        "reason": .text($0.reason),
                    ]
                }),
            "warnings": .list(warnings.map(\.json)), "loss": loss?.json ?? .null,
        ]
    }
}

extension ExpectedSize {
    /// How sure it is.
    package var word: String { isMeasured ? "measured" : "estimated" }
}

extension PlannedTrack {
    package var mode: String { isCopied ? "copy" : parts == nil ? "encode" : "parts" }

    package var json: JSONValue {
        [
            "type": .text(type.rawValue), "mode": .text(mode), "codec": .text(codec),
            "width": .whole(width), "height": .whole(height),
            "frameRate": .measured(frameRate?.doubleValue),
            "dynamicRange": .text(optional: dynamicRange?.rawValue),
            "channels": .whole(channels), "channelLayout": .text(optional: channelLayout),
            "sampleRate": .whole(sampleRate), "bitRate": .whole(bitRate),
            "language": .text(optional: language), "title": .text(optional: title),
            "reason": reason.json, "from": .list(origins.map(\.json)),
            "mix": .list((mix ?? []).map(\.json)), "loudness": loudness?.json ?? .null,
            "layers": .list((layers ?? []).map(\.json)),
            "titles": .list((titles ?? []).map(\.json)),
            "parts": .list((parts ?? []).map(\.json)),
        ]
    }
}

extension VideoPart {
    package var json: JSONValue {
        [
            "mode": .text(isCopied ? "copy" : "encode"), "start": .time(segment.targetStart),
            "end": .time(segment.targetStart + segment.duration), "source": .whole(segment.source),
            "sourceStart": .time(segment.sourceStart),
        ]
    }
}

extension DroppedTrack {
    package var json: JSONValue {
        [
            "type": .text(type.rawValue), "codec": .text(codec), "reason": reason.json,
            "from": origin.json,
        ]
    }
}

extension PlanReason {
    package var json: JSONValue { ["code": .text(code.rawValue), "text": .text(text)] }
}

extension TrackOrigin {
    package var json: JSONValue { ["source": .whole(source), "track": .whole(track)] }
}
