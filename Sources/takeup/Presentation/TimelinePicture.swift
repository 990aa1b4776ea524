import TakeupIntake
import TakeupJobs
import TakeupModel
import TakeupTimeline

/// An export's plan in time: a row for each layer of pictures and each sound, from the top to the bottom.
struct TimelinePicture: Sendable, Equatable {
    /// What becomes of a stretch of a source.
    enum Making: String, Sendable, CaseIterable {
        case encoded, copied
        /// Several stretches that are too narrow to be drawn one by one.
        case both
    }

    /// A stretch of a source at its place in the output; times are seconds.
    struct Bar: Sendable, Equatable {
        var start: Double
        var end: Double
        var making: Making
        /// What is written in it.
        var name: String
        /// All that is known of it, in one line.
        var detail: String
        /// How many stretches it stands for.
        var count = 1
    }

    /// A transition; times are seconds.
    struct Blend: Sendable, Equatable {
        var start: Double
        var end: Double
        var name: String
    }

    /// A layer or a sound; where it has no bar, nothing is seen or heard of it.
    struct Row: Sendable, Equatable {
        var name: String
        /// How it is made, and why.
        var detail: String
        /// By their starts.
        var bars: [Bar]
        var blends: [Blend] = []
    }

    /// How long the output lasts.
    var seconds: Double
    var rows: [Row]

    /// Whether no row has more than one stretch, so that words say it all.
    var isPlain: Bool { rows.allSatisfy { $0.bars.count <= 1 && $0.blends.isEmpty } && !isLayered }
    private var isLayered: Bool { rows.contains { $0.name.hasPrefix(Self.layer) } }
    private static let layer = "layer "

    init(seconds: Double, rows: [Row]) { (self.seconds, self.rows) = (seconds, rows) }

    /// Lays out what a plan says.
    init(_ plan: ExportPlan) {
        self.init(seconds: plan.duration.seconds, rows: [])
        if let video = plan.video { rows += Self.rows(video, plan) }
        for (place, track) in plan.audio.enumerated() {
            let name = plan.audio.count > 1 ? "audio \(place + 1)" : "audio"
            rows += Self.rows(track, named: name, plan)
        }
        for (place, track) in plan.subtitles.enumerated() {
            let name = plan.subtitles.count > 1 ? "subtitles \(place + 1)" : "subtitles"
            rows.append(
                Row(
                    name: name, detail: "mov_text",
                    bars: track.segments.compactMap { Self.bar($0, .encoded, plan) }))
        }
    }

    private static func rows(_ video: VideoTrackPlan, _ plan: ExportPlan) -> [Row] {
        if let composition = video.composition {
            let tracks = Dictionary(grouping: composition.layers, by: \.track)
            let titles = composition.titles.map { title in
                Bar(
                    start: max(0, title.start.seconds),
                    end: min(title.end.seconds, plan.duration.seconds), making: .encoded,
                    name: title.text.escaped, detail: "a title: \(title.text.escaped)")
            }.sorted { $0.start < $1.start }
            let written = Row(name: "titles", detail: "drawn above all pictures", bars: titles)
            return (titles.isEmpty ? [] : [written])
                + tracks.sorted { $0.key > $1.key }.map { track, layers in
                    Row(
                        name: "\(layer)\(track + 1)", detail: "encoded: \(video.reason.text)",
                        bars: layers.compactMap { layer in
                            var bar = bar(layer.segment, .encoded, plan)
                            bar?.detail += layer.layout.isVoid ? "" : ", \(layer.layout)"
                            return bar
                        },
                        blends: blends(layers, until: plan.duration.seconds))
                }
        }
        let making = making(video.mode)
        let bars =
            video.parts.isEmpty
            ? video.segments.compactMap { bar($0, making, plan) }
            : video.parts.compactMap { bar($0.segment, $0.isCopied ? .copied : .encoded, plan) }
        let word = video.parts.isEmpty ? making.rawValue : "copied between the cuts"
        return [Row(name: "video", detail: "\(word): \(video.reason.text)", bars: bars)]
    }

    /// Transitions of one track, each once.
    private static func blends(_ layers: [PictureLayer], until end: Double) -> [Blend] {
        var blends: [Blend] = []
        for placed in layers.flatMap({ [$0.enters, $0.leaves].compactMap(\.self) }) {
            let blend = Blend(
                start: max(0, placed.start.seconds),
                end: min(end, (placed.start + placed.duration).seconds),
                name: "\(placed.kind.rawValue) of \(placed.duration)")
            if blend.start < blend.end, blends.last != blend { blends.append(blend) }
        }
        return blends
    }

    private static func rows(
        _ audio: AudioTrackPlan, named name: String, _ plan: ExportPlan
    ) -> [Row] {
        let making = making(audio.mode)
        let detail = "\(making.rawValue): \(audio.reason.text)"
        guard let mix = audio.mix else {
            let bars = audio.segments.compactMap { bar($0, making, plan) }
            return [Row(name: name, detail: detail, bars: bars)]
        }
        // A track with cross-fades is mixed of two rolls.
        let tracks = Dictionary(grouping: mix, by: \.track).sorted { $0.key < $1.key }
        return tracks.map { track, rolls in
            let volume = rolls.first.map { ", volume \($0.volume)" } ?? ""
            let ducked = rolls.compactMap { $0.ducking?.ramps.count }.first.map { $0 / 2 } ?? 0
            let lowered = ducked == 0 ? "" : ", lowered \(ducked == 1 ? "once" : "\(ducked) times")"
            let bars = rolls.flatMap(\.segments).compactMap { bar($0, making, plan) }
                .sorted { $0.start < $1.start }
            let overlaps = zip(bars, bars.dropFirst()).filter { $0.end > $1.start }
            return Row(
                name: "sound \(track + 1)", detail: detail + volume + lowered, bars: bars,
                blends: overlaps.map { before, after in
                    Blend(start: after.start, end: before.end, name: "cross-fade")
                })
        }
    }

    private static func making<Encoding>(_ mode: TrackMode<Encoding>) -> Making {
        switch mode {
        case .copy: .copied
        case .encode: .encoded
        }
    }

    /// nil for empty time, and where a source has nothing for the track.
    private static func bar(
        _ segment: TrackSegment, _ making: Making, _ plan: ExportPlan
    ) -> Bar? {
        guard !segment.isEmpty, segment.track != nil, plan.sources.indices.contains(segment.source)
        else { return nil }
        let source = plan.sources[segment.source]
        let speed = segment.speed.map { ", speed \($0)" } ?? ""
        return Bar(
            start: segment.targetStart.seconds,
            end: (segment.targetStart + segment.duration).seconds, making: making,
            name: SourceName.file(of: source).escaped,
            detail:
                "\(SourceText.shown(source).escaped) from \(ClockText.exact(segment.sourceStart)), "
                + "at \(ClockText.exact(segment.targetStart)) for "
                + "\(ClockText.exact(segment.duration)), \(making.rawValue)\(speed)")
    }
}

extension TimelinePicture.Row {
    /// Returns bars of which each is wide enough to be drawn.
    ///
    /// - Parameter seconds: Bars that are narrower than this become one with narrow neighbours, without gaps that are
    ///   narrower.
    /// - Returns: In order; one of several bars says how many they are.
    func merged(narrowerThan seconds: Double) -> [TimelinePicture.Bar] {
        var merged: [TimelinePicture.Bar] = []
        var isNarrow = false
        for bar in bars {
            let wasNarrow = isNarrow
            isNarrow = bar.end - bar.start < seconds
            guard isNarrow, wasNarrow, var last = merged.last, bar.start - last.end < seconds else {
                merged.append(bar)
                continue
            }
            last.count += bar.count
            last.end = max(last.end, bar.end)
            if last.making != bar.making { last.making = .both }
            last.name = "\(last.count) parts"
            merged[merged.count - 1] = last
        }
        for place in merged.indices where merged[place].count > 1 {
            let bar = merged[place]
            merged[place].detail =
                "\(bar.count) parts from \(ClockText.exact(MediaTime(seconds: bar.start))) to "
                + "\(ClockText.exact(MediaTime(seconds: bar.end))), "
                + (bar.making == .both ? "some copied, some encoded" : bar.making.rawValue)
        }
        return merged
    }

    /// Returns the transitions that are not inside of a bar that stands for several.
    func blends(beside merged: [TimelinePicture.Bar]) -> [TimelinePicture.Blend] {
        let crowds = merged.filter { $0.count > 1 }
        return blends.filter { blend in
            !crowds.contains { $0.start <= blend.start && blend.end <= $0.end }
        }
    }
}
