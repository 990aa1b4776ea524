public import TakeupTimeline

/// A title by the output's time.
public struct PlacedTitle: Sendable, Equatable, Codable {
    /// Which of the timeline's titles, from 0.
    public var number: Int
    public var text: String
    public var style: TextStyle
    /// Which of the composition's files its font is.
    public var font: Int
    /// It may begin before the output does.
    public var start: MediaTime
    public var duration: MediaTime
    public var fadeIn: MediaTime
    public var fadeOut: MediaTime
    public var opacity: Ramped<Double>?

    /// Places a title.
    ///
    /// - Parameters:
    ///   - title: By the timeline's time.
    ///   - number: Which of the timeline's titles.
    ///   - font: Which of the composition's files its font is.
    ///   - zero: The timeline's time at which the output begins.
    ///   - end: The timeline's end, by the output's time.
    package init(_ title: Title, number: Int, font: Int, zero: MediaTime, end: MediaTime) {
        (self.number, text, style, self.font) = (number, title.text, title.style, font)
        start = title.start - zero
        duration = title.duration ?? max(.zero, end - start)
        (fadeIn, fadeOut) = (title.fadeIn, title.fadeOut)
        opacity = title.opacity?.counted(from: zero)
    }

    /// Makes a text that comes and goes at once.
    package init(
        _ text: String, style: TextStyle, font: Int, start: MediaTime, duration: MediaTime
    ) {
        (number, self.text, self.style, self.font) = (0, text, style, font)
        (self.start, self.duration, fadeIn, fadeOut) = (start, duration, .zero, .zero)
    }

    public var end: MediaTime { start + duration }

    /// How much of it is seen at a time: 0 to 1.
    package func opacity(at time: MediaTime) -> Double {
        guard time >= start, time < end else { return 0 }
        var share = opacity?.value(at: time) ?? 1
        if fadeIn > .zero { share *= min(1, (time - start).seconds / fadeIn.seconds) }
        if fadeOut > .zero { share *= min(1, (end - time).seconds / fadeOut.seconds) }
        return share
    }

    package var json: JSONValue {
        [
            "title": .whole(number), "text": .text(text), "start": .time(start),
            "duration": .time(duration), "style": .text("\(style)"),
        ]
    }
}

/// Subtitles that are drawn into the pictures.
public struct DrawnSubtitles: Sendable, Equatable, Codable {
    /// Where the cues come from.
    public var cues: SubtitleTrackPlan
    public var style: TextStyle
    /// Which of the composition's files the font is.
    public var font: Int

    package init(_ cues: SubtitleTrackPlan, style: TextStyle, font: Int) {
        (self.cues, self.style, self.font) = (cues, style, font)
    }
}

/// A file of subtitles by the output's time.
public struct PlacedSubtitleFile: Sendable, Equatable, Codable {
    /// Which of the composition's files it is.
    public var file: Int
    /// When its times begin in the output; it may be before 0.
    public var start: MediaTime
    /// How long the output lasts.
    public var end: MediaTime

    package init(file: Int, start: MediaTime, end: MediaTime) {
        (self.file, self.start, self.end) = (file, start, end)
    }
}
