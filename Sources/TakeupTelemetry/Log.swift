/// Takes one event a line; where the lines go is the maker's choice.
public struct Log: Sendable {
    private let threshold: LogLevel
    private let sink: @Sendable (LogLevel, String) -> Void

    /// - Parameters:
    ///   - threshold: Lines below it are dropped before they reach `sink`.
    ///   - sink: Takes the lines, from any thread.
    public init(threshold: LogLevel, sink: @escaping @Sendable (LogLevel, String) -> Void) {
        self.threshold = threshold
        self.sink = sink
    }

    /// Drops everything.
    public static let silent = Log(threshold: .error) { _, _ in }

    public func record(_ level: LogLevel, _ message: @autoclosure () -> String) {
        guard level >= threshold else { return }
        sink(level, message())
    }
}
