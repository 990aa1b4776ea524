internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupModel
internal import TakeupTimeline

/// Draws titles and subtitles as pictures, each once, and says when they are seen.
///
/// Confined to one lane; asked for times in order.
final class TextLayers {
    /// A text as a picture, and where it lies.
    struct Drawn {
        let held: LayerLine.Held
        let placement: PicturePlacement
    }

    private let encoding: VideoEncoding
    private let inputs: RunInputs
    private let pictures: ComposedPictures
    /// All texts, from the lowest on.
    private var texts: [PlacedTitle]
    /// Their indexes in the order in which they begin, and how many of them have begun.
    private var order: [Int] = []
    private var begun = 0
    private var seen: [Int: Drawn] = [:]
    private var renderers: [Int: TextRenderer] = [:]
    private var samples: [UInt32: [Int]] = [:]

    init(_ pictures: ComposedPictures, _ encoding: VideoEncoding, _ inputs: RunInputs) {
        (self.pictures, self.encoding, self.inputs) = (pictures, encoding, inputs)
        texts = pictures.titles
    }

    /// Reads the subtitles that are drawn.
    func prepare(_ control: RunControl) throws(FFmpegError) {
        for subtitles in pictures.subtitles {
            let reader = try CueReader(
                subtitles.cues, inputs, cancellation: control.cancellation)
            var cues: [Cue] = []
            while !control.isStopped, let cue = try reader.next() { cues.append(cue) }
            texts += Self.texts(cues, subtitles)
        }
        order = texts.indices.sorted {
            texts[$0].start != texts[$1].start ? texts[$0].start < texts[$1].start : $0 < $1
        }
    }

    /// Makes a text of all cues that are seen together, those that began first on top.
    static func texts(_ cues: [Cue], _ subtitles: DrawnSubtitles) -> [PlacedTitle] {
        let cues = cues.filter { $0.text.contains { !$0.isWhitespace } }
            .enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
        let times = Set(cues.flatMap { [$0.start, $0.end] }).sorted()
        var texts: [PlacedTitle] = []
        var active: [Cue] = []
        var rest = cues[...]
        for (from, to) in zip(times, times.dropFirst()) {
            active.removeAll { $0.end <= from }
            while let cue = rest.first, cue.start <= from {
                active.append(cue)
                rest.removeFirst()
            }
            guard !active.isEmpty else { continue }
            let start = MediaTime(value: from, timescale: 1000)
            texts.append(
                PlacedTitle(
                    active.map(\.text).joined(separator: "\n"), style: subtitles.style,
                    font: subtitles.font, start: start,
                    duration: MediaTime(value: to, timescale: 1000) - start))
        }
        return texts
    }

    /// Returns what is seen at a time, from the lowest on.
    func drawn(at time: MediaTime) throws(FFmpegError) -> [Drawn] {
        while begun < order.count, texts[order[begun]].start <= time {
            let place = order[begun]
            begun += 1
            guard texts[place].end > time, let drawn = try draw(texts[place]) else { continue }
            seen[place] = drawn
        }
        for place in seen.keys where texts[place].end <= time { seen[place] = nil }
        return seen.keys.sorted().compactMap { place in
            guard let drawn = seen[place] else { return nil }
            var placement = drawn.placement
            placement.weight = texts[place].opacity(at: time)
            return placement.weight > 0 ? Drawn(held: drawn.held, placement: placement) : nil
        }
    }

    /// Draws a text; nil where nothing of it is seen.
    private func draw(_ text: PlacedTitle) throws(FFmpegError) -> Drawn? {
        let masks = try renderer(text.font).masks(
            TextScript.script(
                text.text, text.style, family: TextRenderer.family, width: encoding.width,
                height: encoding.height),
            width: encoding.width, height: encoding.height)
        let name = encoding.pixelFormat
        guard !masks.isEmpty, name.hasPrefix("yuv4"),
            let format = PixelFormat(named: "yuva4" + name.dropFirst(4))
        else { return nil }
        var colors: [[Int]] = []
        for mask in masks { colors.append(try samples(of: mask.color)) }
        let (x, y) = Frame.textCorner(masks)
        let held = LayerLine.Held(try Frame.drawn(masks, format, samples: colors))
        let size = held.frame.videoFormat
        return Drawn(
            held: held,
            placement: PicturePlacement(
                u: .init(fromX: 1, fromY: 0, offset: -Double(x)),
                v: .init(fromX: 0, fromY: 1, offset: -Double(y)),
                window: .init(
                    left: 0, top: 0, right: Double(size.width), bottom: Double(size.height))))
    }

    private func renderer(_ font: Int) throws(FFmpegError) -> TextRenderer {
        if let known = renderers[font] { return known }
        let own = inputs.texts.fonts[font]
        let made = try TextRenderer(font: own?.bytes ?? [], family: own?.family ?? "")
        renderers[font] = made
        return made
    }

    private func samples(of color: UInt32) throws(FFmpegError) -> [Int] {
        if let known = samples[color] { return known }
        let made = try LayerColor.samples(
            PictureColor(
                red: UInt8(color >> 16 & 0xFF), green: UInt8(color >> 8 & 0xFF),
                blue: UInt8(color & 0xFF)), encoding)
        samples[color] = made
        return made
    }
}
