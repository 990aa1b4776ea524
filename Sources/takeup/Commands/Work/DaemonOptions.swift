import TakeupDaemon
import TakeupIntake

/// The options of commands that run for years: what is told of them, and when they may start jobs.
struct DaemonOptions: Sendable {
    static let specifications = [
        OptionSpecification(
            name: "hours", valueName: "TEXT", environment: "TAKEUP_HOURS",
            accepts: { WorkHours(parsing: [$0]) != nil }, isRepeatable: true,
            help:
                "When jobs may be started, such as 22:00-06:00 or 'mon-fri 22:00-06:00'; else always"
        ),
        OptionSpecification(
            name: "when-closed", valueName: "WORD", environment: "TAKEUP_WHEN_CLOSED",
            defaultValue: "drain", allowedValues: WorkSchedule.Closing.allCases.map(\.rawValue),
            help:
                "What becomes of running jobs when --hours end: they end by themselves, or go back to the queue"
        ),
        OptionSpecification(
            name: "metrics-file", valueName: "FILE", environment: "TAKEUP_METRICS_FILE",
            completion: .file,
            help: "Rewritten each 10 seconds in the text form of Prometheus"),
    ]

    /// `watch` or `worker`.
    let command: String
    /// nil for always.
    let schedule: WorkSchedule?
    /// As it was given; nil for none.
    let metricsFile: String?

    init(_ input: CommandInput) throws(UsageError) {
        command = input.path.last ?? ""
        metricsFile = input.value("metrics-file")
        let closing = input.value("when-closed").flatMap(WorkSchedule.Closing.init) ?? .drain
        let texts = input.values("hours")
        guard !texts.isEmpty else {
            schedule = nil
            return
        }
        guard let hours = WorkHours(parsing: texts) else {
            let text = texts.joined(separator: "; ")
            throw UsageError(
                "--hours cannot be '\(text)'",
                hint: "for example 22:00-06:00, mon-fri 22:00-06:00 or sat,sun 00:00-24:00",
                path: input.path)
        }
        schedule = WorkSchedule(hours, closing: closing)
    }
}
