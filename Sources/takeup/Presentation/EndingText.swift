import TakeupIntake
import TakeupJobs
import TakeupModel
import TakeupService

/// A job's end in one line.
enum EndingText {
    /// Such as `clip.mov: succeeded, out/story-42.mp4, 1.2 MB, took 3.1 s`; not escaped.
    static func line(_ ending: JobEnding) -> String {
        var parts = [ending.status.rawValue]
        if let result = ending.result {
            parts += [result.output, "\(ByteSize(bytes: result.bytes))"]
        }
        if let fault = ending.fault, ending.status == .failed {
            parts.append("\(fault.message) (\(fault.code))")
        }
        if ending.status == .succeeded, let seconds = ending.seconds {
            parts.append("took \(Decimals.text(seconds, digits: 2)) s")
        }
        return "\(ending.spec.title): \(parts.joined(separator: ", "))"
    }
}
