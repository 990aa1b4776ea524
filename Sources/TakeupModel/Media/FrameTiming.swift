/// Whether frames come at even distances.
public enum FrameTiming: String, Sendable, Codable {
    case constant, variable, unknown
}
