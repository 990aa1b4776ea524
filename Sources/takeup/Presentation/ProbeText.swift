import TakeupModel
import TakeupIntake
import TakeupTimeline

/// An asset as people read it.
struct ProbeText {
    private let asset: AssetDescription
    private let palette: Palette

    init(_ asset: AssetDescription, palette: Palette) {
        (self.asset, self.palette) = (asset, palette)
    }

    func lines() -> [String] {
        var lines = [palette.paint(asset.name.escaped, .bold)]
        lines += TextTable.lines(general, indent: "  ")
        for track in asset.tracks {
            let title = "\(track.type.rawValue) \(track.index)"
            lines += ["", palette.paint(title, .bold)]
            lines += TextTable.lines(rows(track), indent: "  ")
        }
        if !asset.chapters.isEmpty {
            lines += ["", palette.paint("chapters", .bold)]
            let rows = asset.chapters.map { [ClockText.exact($0.start), $0.title.escaped] }
            lines += TextTable.lines(rows, indent: "  ")
        }
        if !asset.metadata.isEmpty {
            lines += ["", palette.paint("metadata", .bold)]
            let rows = asset.metadata.sorted { $0.key < $1.key }
            lines += TextTable.lines(rows.map { [$0.key.escaped, $0.value.escaped] }, indent: "  ")
        }
        return lines
    }

    private var general: [[String]] {
        var rows = [["container", asset.container]]
        if let bytes = asset.bytes { rows.append(["size", "\(ByteSize(bytes: bytes))"]) }
        rows.append(["duration", ClockText.exact(asset.duration)])
        if asset.startTime != .zero {
            rows.append(["starts at", ClockText.exact(asset.startTime)])
        }
        rows.append(["playable", answer(asset.notPlayableReason)])
        rows.append(["exportable", answer(asset.notExportableReason)])
        let protection = asset.protectionReason.map { "yes: \($0.escaped)" }
        rows.append(["protected", protection ?? "no"])
        if let loss = asset.loss {
            let kind = loss.isTruncated ? "ends too early" : "is damaged"
            rows.append(["incomplete", "\(kind), \(loss.extent) lost"])
            rows += loss.details.map { ["", $0.escaped] }
        }
        return rows + asset.warnings.map { ["warning", $0.message.escaped] }
    }

    private func answer(_ reason: String?) -> String {
        reason.map { palette.paint("no", .red) + ": \($0.escaped)" }
            ?? palette.paint("yes", .green)
    }

    private func rows(_ track: AssetTrack) -> [[String]] {
        let codec = [track.codec, track.profile, track.codecTag.map { "(\($0.escaped))" }]
        var rows = [["codec", codec.compactMap(\.self).joined(separator: " ")]]
        if !track.isDecodable { rows.append(["decodable", palette.paint("no", .red)]) }
        if track.isProtected { rows.append(["protected", palette.paint("yes", .red)]) }
        if let video = track.video { rows += self.rows(video) }
        if let audio = track.audio {
            let layout = audio.channelLayout ?? "\(audio.channels) channels"
            rows.append(["sound", "\(layout), \(audio.sampleRate) Hz, \(audio.sampleFormat)"])
        }
        if let duration = track.duration { rows.append(["duration", ClockText.exact(duration)]) }
        if let rate = track.bitRate, rate > 0 {
            rows.append(["bit rate", "\(Decimals.text(Double(rate) / 1000, digits: 3)) kbit/s"])
        }
        if let language = track.language { rows.append(["language", language.escaped]) }
        if let title = track.title { rows.append(["title", title.escaped]) }
        let flags = [track.isDefault ? "default" : nil, track.isForced ? "forced" : nil]
        let set = flags.compactMap(\.self).joined(separator: ", ")
        return set.isEmpty ? rows : rows + [["flags", set]]
    }

    private func rows(_ video: VideoTraits) -> [[String]] {
        let shown = video.displaySize
        var size = "\(video.width)x\(video.height)"
        if shown != (video.width, video.height) {
            size += ", shown as \(shown.width)x\(shown.height)"
        }
        let turn = video.orientation
        if turn != .upright {
            size += ", turned \(turn.clockwiseDegrees)°" + (turn.isMirrored ? " and mirrored" : "")
        }
        var rows = [["size", size]]
        if let rate = video.averageFrameRate ?? video.nominalFrameRate {
            let number = Decimals.shortest(rate.doubleValue, places: 3)
            rows.append(["frame rate", "\(number) fps, \(video.frameRateMode.rawValue)"])
        }
        rows.append(["pixels", "\(video.pixelFormat), \(video.bitDepth) bits"])
        if video.scan != .progressive { rows.append(["scan", video.scan.rawValue]) }
        let tags = [
            video.color.primaries, video.color.transfer, video.color.matrix, video.color.range,
        ].compactMap(\.self)
        if !tags.isEmpty {
            let hdr = video.color.isHDR ? " (HDR)" : ""
            rows.append(["colour", tags.joined(separator: ", ") + hdr])
        }
        if let profile = video.dolbyVisionProfile {
            rows.append(["Dolby Vision", "profile \(profile)"])
        }
        return rows
    }
}
