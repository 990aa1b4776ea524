/// One event: words for a person, and fields for a program.
public struct LogRecord: Sendable, Equatable {
    public let level: LogLevel
    public let message: String
    /// In the order in which they are shown.
    public let fields: [LogField]

    public init(level: LogLevel, message: String, fields: [LogField] = []) {
        (self.level, self.message, self.fields) = (level, message, fields)
    }

    /// The message as it was given, then `name=value` for each field.
    public var text: String {
        fields.reduce(into: message) { $0 += " \($1)" }
    }
}
