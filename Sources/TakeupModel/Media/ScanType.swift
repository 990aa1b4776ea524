/// Whether a frame is one picture or two fields woven together.
public enum ScanType: String, Sendable, Codable {
    case progressive, topFieldFirst, bottomFieldFirst, unknown
}
