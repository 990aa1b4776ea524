internal import TakeupModel
internal import TakeupTimeline

extension ExportPlanner {
    /// Highest number of titles that have a decision of their own.
    private static let mostTold = 20

    /// Places titles and drawn subtitles above the layers.
    ///
    /// - Parameters:
    ///   - composition: Gets them.
    ///   - selections: What the clips take.
    ///   - spans: The parts of the lowest track with pictures.
    ///   - duration: How long the output lasts.
    /// - Throws: `ExportError` with `.invalidRequest` for a title behind the timeline's end, `.unsupported` for
    ///   subtitles that no source has.
    mutating func write(
        on composition: inout ComposedPictures, _ selections: [Selection], _ spans: [Span],
        _ duration: MediaTime
    ) throws(ExportError) {
        let zero = settings.timeRange?.start ?? .zero
        let reason = "the timeline writes it on the pictures"
        for (number, title) in text.titles.enumerated() {
            guard title.start < timelineEnd else {
                throw .invalidRequest(
                    reason: "title \(number + 1) begins at \(title.start), but the timeline "
                        + "lasts \(timelineEnd)",
                    hint: "let the title begin sooner")
            }
            let placed = PlacedTitle(
                title, number: number, font: text.place(of: title.style.font), zero: zero,
                end: timelineEnd - zero)
            guard placed.end > .zero, placed.start < duration else { continue }
            composition.titles.append(placed)
            guard composition.titles.count <= Self.mostTold else { continue }
            decide(
                "title \(number + 1)", "\(title), in \(name(of: title.style.font))",
                because: reason)
        }
        let more = composition.titles.count - Self.mostTold
        if more > 0 { decide("titles", "\(more) more", because: reason) }
        for (number, subtitles) in text.subtitles.enumerated() {
            guard let style = subtitles.style else { continue }
            let cues: SubtitleTrackPlan
            let what: String
            if let path = subtitles.source {
                cues = plan(subtitles, path, duration)
                let count = text.read.cues[text.place(of: path)]?.count ?? 0
                what = "\(name(of: path)), \(count) cues"
            } else if let found = drawnSubtitles(subtitles.language, spans, selections) {
                (cues, what) = (found, "those of the sources")
            } else {
                throw .unsupported(
                    names,
                    reason: "it has no text subtitles"
                        + (subtitles.language.map { " in \($0)" } ?? "")
                        + ", but subtitles \(number + 1) of the timeline draw them")
            }
            decide(
                "subtitles \(number + 1)", "\(what), drawn at \(style)",
                because: "the timeline draws them into the pictures")
            composition.subtitles.append(
                DrawnSubtitles(cues, style: style, font: text.place(of: style.font)))
        }
    }
}
