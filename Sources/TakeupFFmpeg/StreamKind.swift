/// What a stream carries.
public enum StreamKind: String, Sendable {
    case video, audio, subtitle, data, attachment, unknown
}
