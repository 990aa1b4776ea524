import TakeupModel
import TakeupTelemetry

/// A worker's log: a line an event on standard error, or with JSON an object on standard output.
struct WorkerLog: Sendable {
    let lines: Log

    init(_ context: CommandContext, _ style: OutputStyle) {
        self.init(
            context, isJSON: style.isJSON,
            threshold: style.isQuiet ? .error : style.isVerbose ? .debug : .info)
    }

    init(_ context: CommandContext, isJSON: Bool, threshold: LogLevel) {
        lines = Log(threshold: threshold) { record in
            let time = Timestamp.iso(context.wallClock()) ?? "-"
            if isJSON {
                context.print(Self.object(record, time: time))
            } else {
                let line = "\(time) \(record.level): \(record.text.escaped)\n"
                context.diagnostics.write(
                    JournalStream.marked(line, record.level, context.environment))
            }
        }
    }

    /// The fields are keys of the object itself, after those that every line has.
    static func object(_ record: LogRecord, time: String) -> JSONValue {
        let fields = record.fields.map { field in
            switch field.value {
            case .text(let text): JSONValue.Member(key: field.name, value: .text(text))
            case .integer(let number): JSONValue.Member(key: field.name, value: .integer(number))
            case .number(let number): JSONValue.Member(key: field.name, value: .number(number))
            }
        }
        return .object(
            [
                .init(key: "type", value: "log"), .init(key: "time", value: .text(time)),
                .init(key: "level", value: .text(record.level.rawValue)),
                .init(key: "message", value: .text(record.message)),
            ] + fields)
    }
}
