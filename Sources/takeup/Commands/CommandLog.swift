import TakeupModel
import TakeupTelemetry

/// What a command that does its work itself logs with `--verbose`: a line an event on standard error, with JSON an object.
///
/// Standard output stays for what the command is asked for.
struct CommandLog: Sendable {
    let lines: Log

    init(_ context: CommandContext, _ style: OutputStyle) {
        guard style.isVerbose else {
            lines = .silent
            return
        }
        let talk = Console(context, style)
        lines = Log(threshold: .info) { record in
            guard style.isJSON else { return talk.note("\(record.level): \(record.text)") }
            let time = Timestamp.iso(context.wallClock()) ?? "-"
            context.diagnostics.write("\(WorkerLog.object(record, time: time))\n")
        }
    }
}
