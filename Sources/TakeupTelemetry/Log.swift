/// Takes one event a line; where the lines go is the maker's choice.
public struct Log: Sendable {
    private let threshold: LogLevel
    private let sink: @Sendable (LogRecord) -> Void

    /// - Parameters:
    ///   - threshold: Events below it are dropped before they reach `sink`.
    ///   - sink: Takes the events, from any thread.
    public init(threshold: LogLevel, sink: @escaping @Sendable (LogRecord) -> Void) {
        self.threshold = threshold
        self.sink = sink
    }

    /// Drops everything.
    public static let silent = Log(threshold: .error) { _ in }

    /// - Parameters:
    ///   - level: How much it matters.
    ///   - message: What happened; made only when it is wanted.
    ///   - fields: What it happened to, in the order in which they are shown.
    public func record(
        _ level: LogLevel, _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> [LogField] = []
    ) {
        guard level >= threshold else { return }
        sink(LogRecord(level: level, message: message(), fields: fields()))
    }
}
