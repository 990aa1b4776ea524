/// What became of a source with which something was to be done.
public enum SourceOutcome: Equatable, Sendable {
    /// It is done; where the source, or what took its place, lies now.
    case done(at: String?)
    /// Nothing has the name any more.
    case gone
    /// Another file has the name by now, or the file holds something else: it was left alone.
    case changed
}
