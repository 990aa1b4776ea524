/// The kind of media in a stream.
public enum StreamKind: String, Sendable {
    case video, audio, subtitle, data, attachment, unknown
}
