/// What a poster is written as, which its name tells.
public enum PosterFormat: String, Sendable, CaseIterable, Codable {
    case jpeg, png

    /// For messages: which names tell a format.
    public static let hint = "let the name end in .jpg, .jpeg or .png"

    /// - Returns: nil when the name's ending stands for neither.
    public init?(path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        switch name[dot...].lowercased() {
        case ".jpg", ".jpeg": self = .jpeg
        case ".png": self = .png
        default: return nil
        }
    }

    /// FFmpeg's encoder.
    public var encoder: String {
        switch self {
        case .jpeg: "mjpeg"
        case .png: "png"
        }
    }
}
