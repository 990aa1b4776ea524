/// How a picture goes into a frame that has another shape.
public enum FrameFit: String, Sendable, Equatable, Codable, CaseIterable {
    /// The frame takes the picture's shape, within the limits.
    case fit
    /// The picture covers the frame; what is beyond it is cut off.
    case fill
    /// The whole picture, in front of a blurred and darkened copy of itself.
    case blur
    /// The whole picture, with black borders.
    case pad
}
