import TakeupModel
import TakeupTimeline

extension ExportOptions {
    /// The range that `--start`, `--end` and `--duration` name; nil when none was given.
    static func timeRange(_ input: CommandInput) throws(UsageError) -> TimeRange? {
        let start = try time(input, "start")
        let end = try time(input, "end")
        let duration = try time(input, "duration")
        if let duration {
            guard end == nil else {
                throw UsageError("--end and --duration exclude each other", hint: "give one")
            }
            guard duration > .zero else {
                throw UsageError("--duration has to be more than 0")
            }
            return TimeRange(start: start ?? .zero, duration: duration)
        }
        if let end {
            guard start ?? .zero < end else {
                throw UsageError(
                    "--end has to be after --start",
                    hint: "--start \(start ?? .zero), --end \(end)")
            }
            return TimeRange(start: start ?? .zero, end: end)
        }
        return start.map { TimeRange(start: $0) }
    }

    private static func time(
        _ input: CommandInput, _ option: String
    ) throws(UsageError) -> MediaTime? {
        guard let text = input.value(option) else { return nil }
        guard let time = MediaTime(parsing: text) else {
            throw UsageError(
                "--\(option) cannot be '\(text)'",
                hint: "write seconds (12.5), a clock time (1:02:03.250) or a fraction (1001/30000)")
        }
        return time
    }

    /// Reads `KEY=VALUE` pairs; a later one replaces an earlier one of the same key.
    static func metadata(_ pairs: [String]) throws(UsageError) -> [String: String] {
        var metadata: [String: String] = [:]
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw UsageError(
                    "--metadata cannot be '\(pair)'", hint: "write KEY=VALUE, such as title=Waves")
            }
            let (key, value) = (String(parts[0]).lowercased(), String(parts[1]))
            if let fault = MetadataField.fault(key, value) {
                throw UsageError("--metadata: \(fault.reason)", hint: fault.hint)
            }
            metadata[key] = value
        }
        return metadata
    }
}
