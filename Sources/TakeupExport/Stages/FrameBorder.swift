/// Builds the filters that extend a picture with another aspect ratio to its frame's size.
///
/// The picture must have the frame's width or height and the encoder's pixel format. The filters
/// centre the picture.
struct FrameBorder {
    /// Long side of the reduced picture for the blur, in pixels; the blur hides the reduction,
    /// which saves time.
    private static let smallSide = 120
    /// Brightness of the blurred copy relative to the picture.
    private static let brightness = "0.6"

    let frame: FrameSize
    let content: FrameSize

    private var left: Int { (frame.width - content.width) / 4 * 2 }
    private var top: Int { (frame.height - content.height) / 4 * 2 }

    /// Filters for black borders.
    var black: String { "pad=\(frame.width):\(frame.height):\(left):\(top):black" }

    /// Filters for borders from the picture's own middle, blurred and darkened.
    ///
    /// The parts are stacked, because an overlay filter needs an alpha plane.
    var blurred: String {
        let isStacked = content.width == frame.width
        let (right, bottom) = (left + content.width, top + content.height)
        let head =
            isStacked ? "\(frame.width):\(top):0:0" : "\(left):\(frame.height):0:0"
        let tail =
            isStacked
            ? "\(frame.width):\(frame.height - bottom):0:\(bottom)"
            : "\(frame.width - right):\(frame.height):\(right):0"
        return "split[front][back];[back]\(backdrop.joined(separator: ",")),split[one][other];"
            + "[one]crop=\(head)[head];[other]crop=\(tail)[tail];"
            + "[head][front][tail]\(isStacked ? "vstack" : "hstack")=inputs=3"
    }

    /// Filters for a backdrop that covers the whole frame.
    private var backdrop: [String] {
        let middle = content.containing(frame)
        let scale = Double(Self.smallSide) / Double(max(frame.width, frame.height))
        let small = FrameSize(
            width: max(16, Int(Double(frame.width) * scale)),
            height: max(16, Int(Double(frame.height) * scale)))
        let darker = "(val-minval)*\(Self.brightness)+minval"
        let paler = "(val-(minval+maxval)/2)*\(Self.brightness)+(minval+maxval)/2"
        return [
            "crop=\(middle.width):\(middle.height)",
            "scale=\(small.width):\(small.height):flags=area", "gblur=sigma=4",
            "lutyuv=y=\(darker):u=\(paler):v=\(paler)",
            "scale=\(frame.width):\(frame.height):flags=bicubic",
        ]
    }
}
