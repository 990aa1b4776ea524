internal import Foundation
internal import TakeupFFmpeg
internal import TakeupModel
internal import TakeupTimeline

/// Computes where the pictures of one layer lie in the output.
///
/// An area that does not change lies on even samples, and its pictures are scaled to its exact size beforehand. An area that
/// changes, or is much larger than the output, takes its pictures from ones of its largest size, within a limit.
struct LayerGeometry: Equatable {
    /// A rectangle in the output, in samples.
    struct Box: Equatable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double

        /// The largest box of a shape within this one, or the smallest one around it, in its middle.
        func framing(_ wide: Double, _ tall: Double, outside: Bool) -> Box {
            let (across, down) = (width / wide, height / tall)
            let scale = outside ? max(across, down) : min(across, down)
            let size = (wide * scale, tall * scale)
            return Box(
                x: x + (width - size.0) / 2, y: y + (height - size.1) / 2, width: size.0,
                height: size.1)
        }
    }

    /// How much larger than the output pictures are prepared; what is larger still is scaled up as it is laid.
    private static let most = 2.0

    let layout: Layout
    /// What pictures may fill.
    let frame: FrameSize
    /// Where that begins in the output.
    let origin: (x: Int, y: Int)

    static func == (one: Self, other: Self) -> Bool {
        one.layout == other.layout && one.frame == other.frame && one.origin == other.origin
    }

    /// - Parameters:
    ///   - layout: By the output's time.
    ///   - encoding: The output's size.
    init(_ layout: Layout, _ encoding: VideoEncoding) {
        self.layout = layout
        let canvas = FrameSize(width: encoding.width, height: encoding.height)
        frame = encoding.area ?? canvas
        origin = ((canvas.width - frame.width) / 4 * 2, (canvas.height - frame.height) / 4 * 2)
    }

    private var fit: Layout.Fit { layout.fit ?? .fit }
    private var isFixed: Bool {
        guard let area = layout.area else { return true }
        return area.isConstant && max(area.value.width, area.value.height) <= Self.most
    }

    private func box(_ area: Area) -> Box {
        Box(
            x: Double(origin.x) + area.x * Double(frame.width),
            y: Double(origin.y) + area.y * Double(frame.height),
            width: area.width * Double(frame.width), height: area.height * Double(frame.height))
    }

    /// The same with its edges on even samples, at least two apart.
    private static func snapped(_ box: Box) -> Box {
        func even(_ value: Double) -> Double { (value / 2).rounded() * 2 }
        let (x, y) = (even(box.x), even(box.y))
        return Box(
            x: x, y: y, width: max(2, even(box.x + box.width) - x),
            height: max(2, even(box.y + box.height) - y))
    }

    private static func size(_ width: Double, _ height: Double) -> FrameSize {
        func even(_ value: Double) -> Int { max(2, Int((value / 2).rounded()) * 2) }
        return FrameSize(width: even(width), height: even(height))
    }

    /// The size to which pictures are scaled before they are laid, and how they go into it.
    ///
    /// `display` is their size when upright and with square samples.
    func target(for display: FrameSize) -> (size: FrameSize, fit: Layout.Fit) {
        guard isFixed else { return moving(display) }
        let fixed = Self.snapped(box(layout.area?.value ?? .whole))
        let size = Self.size(fixed.width, fixed.height)
        guard fit == .fit else { return (size, fit) }
        let content = size.containing(display)
        return (content.isClose(to: size) ? size : content, .stretch)
    }

    private func moving(_ display: FrameSize) -> (size: FrameSize, fit: Layout.Fit) {
        let (wide, tall) = (Double(display.width), Double(display.height))
        let boxes = (layout.area?.corners ?? []).map(box).map {
            fit == .stretch ? $0 : $0.framing(wide, tall, outside: fit == .fill)
        }
        let width = boxes.map(\.width).max() ?? wide
        let height = boxes.map(\.height).max() ?? tall
        let limit = Self.most * Double(max(frame.width, frame.height))
        let scale = min(1, limit / max(width, height))
        return (Self.size(width * scale, height * scale), .stretch)
    }

    /// Returns where a picture of the target's size lies at a time.
    func placement(of size: FrameSize, at time: MediaTime) -> PicturePlacement {
        let area = layout.area?.value(at: time) ?? .whole
        let (wide, tall) = (Double(size.width), Double(size.height))
        let box = isFixed ? Self.snapped(self.box(area)) : self.box(area)
        let content: Box
        if isFixed {
            // Even, so that chroma stays in place.
            content = Box(
                x: box.x + ((box.width - wide) / 4).rounded(.down) * 2,
                y: box.y + ((box.height - tall) / 4).rounded(.down) * 2, width: wide, height: tall)
        } else if fit == .stretch {
            content = box
        } else {
            content = box.framing(wide, tall, outside: fit == .fill)
        }
        let (across, down) = (wide / content.width, tall / content.height)
        let crop = layout.crop?.value(at: time) ?? .whole
        // What a filled area cuts off is not part of the picture in it.
        let seen = fit == .fill && !isFixed ? box : content
        let window = PicturePlacement.Bounds(
            left: (seen.x + crop.x * seen.width - content.x) * across,
            top: (seen.y + crop.y * seen.height - content.y) * down,
            right: (seen.x + (crop.x + crop.width) * seen.width - content.x) * across,
            bottom: (seen.y + (crop.y + crop.height) * seen.height - content.y) * down)
        let turn = turn(at: time)
        let middle = (box.x + box.width / 2, box.y + box.height / 2)
        // Turned back about the middle, then from the content's corner in the picture's samples.
        let u = PicturePlacement.Line(
            fromX: turn.cosine * across, fromY: turn.sine * across,
            offset: (middle.0 - middle.0 * turn.cosine - middle.1 * turn.sine - content.x) * across)
        let v = PicturePlacement.Line(
            fromX: -turn.sine * down, fromY: turn.cosine * down,
            offset: (middle.1 + middle.0 * turn.sine - middle.1 * turn.cosine - content.y) * down)
        return PicturePlacement(u: u, v: v, window: window)
    }

    /// The rectangle that the layer's area takes at a time, turned or not.
    func bounds(at time: MediaTime) -> PicturePlacement.Bounds {
        let box = box(layout.area?.value(at: time) ?? .whole)
        let turn = turn(at: time)
        let half = (
            (abs(turn.cosine) * box.width + abs(turn.sine) * box.height) / 2,
            (abs(turn.sine) * box.width + abs(turn.cosine) * box.height) / 2
        )
        let middle = (box.x + box.width / 2, box.y + box.height / 2)
        return PicturePlacement.Bounds(
            left: middle.0 - half.0, top: middle.1 - half.1, right: middle.0 + half.0,
            bottom: middle.1 + half.1)
    }

    private func turn(at time: MediaTime) -> (cosine: Double, sine: Double) {
        let degrees = (layout.rotation?.value(at: time) ?? 0).truncatingRemainder(dividingBy: 360)
        // Exact where nothing is divided.
        switch degrees {
        case 0: return (1, 0)
        case 90, -270: return (0, 1)
        case 180, -180: return (-1, 0)
        case 270, -90: return (0, -1)
        default: return (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        }
    }
}
