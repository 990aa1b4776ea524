internal import TakeupTimeline

extension Composition {
    /// Whether it takes the pictures of one whole source and the sound of another, both as they are.
    package var isWholePair: Bool {
        tracks.map(\.media) == [.video, .audio] && background == nil && titles.isEmpty
            && subtitles.isEmpty
            && tracks.allSatisfy {
                $0.volume == nil && $0.layout == nil && $0.loop == nil && $0.segments.count == 1
                    && $0.segments[0].isWhole
            }
    }

    /// A text for each track and segment that says its volume, its part of the source and its length, for keys.
    ///
    /// It is nil for whole sources that are joined or form a pair. One track of everything needs no text of its own.
    package var parts: [String]? {
        guard !isWholePair else { return nil }
        if tracks.count == 1, background == nil, titles.isEmpty, subtitles.isEmpty,
            tracks[0] == Track(.all, segments: tracks[0].segments)
        {
            let segments = tracks[0].segments
            return segments.allSatisfy(\.isWhole) ? nil : segments.map(\.key)
        }
        return (background.map { ["background,\($0)"] } ?? [])
            + tracks.flatMap { track in
                let layout = track.layout.map { ",layout \($0.key)" } ?? ""
                let head = "track,\(track.media.rawValue),\(track.volume?.key ?? "")\(layout)"
                let duck = track.duck.map { "duck,\($0.key)" }
                let loop = track.loop.map { "loop,\($0.key)" }
                return [head, duck, loop].compactMap(\.self) + track.segments.map(\.key)
            } + textParts
    }

    /// Fonts and files by their numbers: the same content under another name is the same work.
    private var textParts: [String] {
        let files = files
        let number = { (file: String) in files.firstIndex(of: file) ?? 0 }
        return titles.map { $0.key(font: number($0.style.font)) }
            + subtitles.map { $0.key(number) }
    }
}

extension Composition.Segment {
    fileprivate var key: String {
        func text(_ time: MediaTime?) -> String { time.map { "\($0.value)/\($0.timescale)" } ?? "" }
        let joined = transition.map { ",by \($0.key)" } ?? ""
        guard !isEmpty else { return "empty,\(text(duration))\(joined)" }
        let part = [range?.start, range?.duration, duration].map(text)
        let speed = openSpeed.map { ",\($0.numerator)/\($0.denominator)" } ?? ""
        let counted = timecodeRate.map { ",@\($0.numerator)/\($0.denominator)" } ?? ""
        let shown = layout.map { ",layout \($0.key)" } ?? ""
        let pitch = pitch == .follow ? ",pitch" : ""
        let most = most.map { ",most \(text($0))" } ?? ""
        return part.joined(separator: ",") + speed + counted + pitch + joined + shown + most
    }
}
