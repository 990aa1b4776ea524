import TakeupTelemetry

/// A worker's log: a line an event on standard error, or with JSON an object on standard output.
struct WorkerLog: Sendable {
    let lines: Log

    init(_ context: CommandContext, _ style: OutputStyle) {
        let threshold: LogLevel = style.isQuiet ? .error : style.isVerbose ? .debug : .info
        lines = Log(threshold: threshold) { level, message in
            let time = Timestamp.iso(context.wallClock()) ?? "-"
            if style.isJSON {
                context.print([
                    "type": "log", "time": .text(time), "level": .text(level.rawValue),
                    "message": .text(message),
                ])
            } else {
                context.diagnostics.write("\(time) \(level.rawValue): \(message.escaped)\n")
            }
        }
    }
}
