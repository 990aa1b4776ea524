internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupModel
internal import TakeupTimeline

/// Makes each of the output's pictures of those of its layers, on one lane.
///
/// A picture that one layer fills alone, as it is, is passed on without being touched.
final class PictureMixer {
    /// Pictures are halved before they are laid at less than this part of their size.
    private static let coarse = 2.0

    /// One layer's part of a picture.
    private struct Draw {
        let layer: Int
        let line: LayerLine
        var placement: PicturePlacement
    }

    private let pictures: ComposedPictures
    private let encoding: VideoEncoding
    private let geometries: [LayerGeometry]
    private let lines: [LayerLine]
    private let texts: TextLayers
    private let control: RunControl
    private let output: BoundedQueue<Frame>
    private let background: Frame
    /// The samples of the colours of dips.
    private var tints: [PictureColor: [Double]] = [:]
    /// How many pictures were composed; the others were passed on.
    private(set) var composed = 0

    /// - Throws: `FFmpegError` with `.allocate` or `.buildFilter`.
    init(
        _ pictures: ComposedPictures, _ encoding: VideoEncoding, lines: [LayerLine],
        texts: TextLayers, control: RunControl, output: BoundedQueue<Frame>
    ) throws(FFmpegError) {
        (self.pictures, self.encoding, self.lines) = (pictures, encoding, lines)
        (self.texts, self.control, self.output) = (texts, control, output)
        geometries = pictures.layers.map { LayerGeometry($0.layout, encoding) }
        guard let format = PixelFormat(named: encoding.pixelFormat) else {
            throw FFmpegError(.buildFilter, status: .invalidData, subject: encoding.pixelFormat)
        }
        let samples = try LayerColor.samples(pictures.background, encoding)
        background = try Frame.filled(
            width: encoding.width, height: encoding.height, format, samples: samples)
        let dips = pictures.layers.flatMap { [$0.enters?.color, $0.leaves?.color] }
        for color in Set(dips.compactMap(\.self)) {
            tints[color] = try LayerColor.samples(color, encoding).map { Double($0) }
        }
    }

    /// Makes all pictures, then signals the end to the encoder.
    func run() {
        defer {
            output.finish()
            for line in lines { line.finish() }
        }
        let timeBase = TimeBase(1, Int32(clamping: encoding.timing.timescale))
        do throws(FFmpegError) {
            try texts.prepare(control)
            for index in 0..<pictures.count {
                guard !control.isStopped else { return }
                let time = pictures.time(of: index)
                for line in lines { line.admit(until: time) }
                let draws = draws(index, time)
                // A line that was stopped shows nothing.
                guard !control.isStopped else { return }
                let picture = try picture(draws, texts.drawn(at: time))
                let start = timeBase.ticks(time)
                picture.ptsTicks = start
                picture.durationTicks = timeBase.ticks(pictures.time(of: index + 1)) - start
                guard output.push(picture) else { return }
            }
        } catch {
            control.fail(error, .filter)
        }
    }

    /// What is seen of each layer at a time, from the lowest on.
    private func draws(_ index: Int, _ time: MediaTime) -> [Draw] {
        var draws: [Draw] = []
        for line in lines {
            guard let layer = line.advance(to: index), let held = line.current else { continue }
            let format = held.frame.videoFormat
            let size = FrameSize(width: format.width, height: format.height)
            var placement = geometries[layer].placement(of: size, at: time)
            placement.weight = pictures.layers[layer].layout.opacity?.value(at: time) ?? 1
            draws.append(Draw(layer: layer, line: line, placement: placement))
        }
        draws.sort { $0.layer < $1.layer }
        let shown = Set(draws.map(\.layer))
        for place in draws.indices { blend(&draws[place], beside: shown, at: time) }
        return draws.filter { $0.placement.weight > 0 }
    }

    /// Changes a part by the transition that is under way.
    private func blend(_ draw: inout Draw, beside shown: Set<Int>, at time: MediaTime) {
        let layer = pictures.layers[draw.layer]
        if let enters = layer.enters, time < enters.start + enters.duration {
            let share = enters.share(at: time)
            switch enters.kind {
            case .dissolve: draw.placement.weight *= share
            case .dip: dip(&draw, enters.color, seen: share, shown)
            default: wipe(&draw, enters.kind, share, isEntering: true, shown, time)
            }
        }
        if let leaves = layer.leaves, time >= leaves.start {
            let share = leaves.share(at: time)
            switch leaves.kind {
            case .dissolve: draw.placement.weight *= 1 - share
            case .dip: dip(&draw, leaves.color, seen: 1 - share, shown)
            default: wipe(&draw, leaves.kind, share, isEntering: false, shown, time)
            }
        }
    }

    /// Colours a part, which is its own at 1 and the colour at 0.5; below, the colour gives way to what is beside it.
    ///
    /// That is the other segment's part, which is seen alone; beside empty time, it is what lies below.
    private func dip(
        _ draw: inout Draw, _ color: PictureColor, seen: Double, _ shown: Set<Int>
    ) {
        guard let samples = tints[color] else { return }
        draw.placement.tint = (min(2 * (1 - seen), 1), samples)
        guard seen < 0.5 else { return }
        let track = pictures.layers[draw.layer].track
        let isBesideEmpty = !shown.contains {
            $0 != draw.layer && pictures.layers[$0].track == track
        }
        draw.placement.weight *= isBesideEmpty ? 2 * seen : 0
    }

    /// Hides a part on one side of the edge; the edge moves over the area of both pictures.
    private func wipe(
        _ draw: inout Draw, _ kind: Transition.Kind, _ share: Double, isEntering: Bool,
        _ shown: Set<Int>, _ time: MediaTime
    ) {
        var bounds = geometries[draw.layer].bounds(at: time)
        let track = pictures.layers[draw.layer].track
        for other in shown where pictures.layers[other].track == track {
            let more = geometries[other].bounds(at: time)
            bounds = .init(
                left: min(bounds.left, more.left), top: min(bounds.top, more.top),
                right: max(bounds.right, more.right), bottom: max(bounds.bottom, more.bottom))
        }
        let isBackwards = kind == .wipeLeft || kind == .wipeUp
        let part = isBackwards ? 1 - share : share
        let isLower = isEntering != isBackwards
        if kind == .wipeLeft || kind == .wipeRight {
            let edge = bounds.left + (bounds.right - bounds.left) * part
            if isLower { draw.placement.clip.right = edge } else { draw.placement.clip.left = edge }
        } else {
            let edge = bounds.top + (bounds.bottom - bounds.top) * part
            if isLower { draw.placement.clip.bottom = edge } else { draw.placement.clip.top = edge }
        }
    }

    private func picture(
        _ draws: [Draw], _ texts: [TextLayers.Drawn]
    ) throws(FFmpegError) -> Frame {
        guard !draws.isEmpty || !texts.isEmpty else { return try background.duplicate() }
        if texts.isEmpty, draws.count == 1, isWhole(draws[0]), let held = draws[0].line.current {
            return try held.frame.duplicate()
        }
        composed += 1
        var rest = draws[...]
        var canvas: Frame?
        // What lies below a picture that fills the output is not seen.
        if let lowest = rest.lastIndex(where: { isAlone($0, draws) && isWhole($0) }),
            let held = rest[lowest].line.current
        {
            canvas = try held.frame.copied()
            rest = rest[(lowest + 1)...]
        }
        let ground: Frame
        if let copy = canvas.take() { ground = copy } else { ground = try background.copied() }
        while let first = rest.first {
            let track = pictures.layers[first.layer].track
            let group = rest.prefix { pictures.layers[$0.layer].track == track }
            rest = rest.dropFirst(group.count)
            if group.count == 1 {
                try lay(first, on: ground, over: ground)
            } else {
                let below = try ground.copied()
                for draw in group { try lay(draw, on: ground, over: below) }
            }
        }
        for text in texts { ground.lay(text.held.frame, text.placement, over: ground) }
        return ground
    }

    private func isAlone(_ draw: Draw, _ draws: [Draw]) -> Bool {
        let track = pictures.layers[draw.layer].track
        return draws.filter { pictures.layers[$0.layer].track == track }.count == 1
    }

    private func isWhole(_ draw: Draw) -> Bool {
        guard let format = draw.line.current?.frame.videoFormat else { return false }
        return !format.pixelFormat.hasAlpha && format.width == encoding.width
            && format.height == encoding.height
            && draw.placement.isWhole(width: encoding.width, height: encoding.height)
    }

    private func lay(
        _ draw: Draw, on ground: borrowing Frame, over below: borrowing Frame
    ) throws(FFmpegError) {
        guard var held = draw.line.current else { return }
        var placement = draw.placement
        while min(placement.u.slope, placement.v.slope) >= Self.coarse {
            held = LayerLine.Held(try held.frame.halved())
            placement.halve()
        }
        ground.lay(held.frame, placement, over: below)
    }
}
