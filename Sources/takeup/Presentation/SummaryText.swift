import TakeupModel
import TakeupIntake
import TakeupTimeline

/// The line that ends a successful export.
enum SummaryText {
    /// Counts the bytes of all sources together; 0 leaves the comparison out.
    static func line(_ report: ExportReport, sourceBytes: Int64) -> String {
        var size = "\(ByteSize(bytes: report.bytes))"
        if sourceBytes > 0 {
            let percent = Double(report.bytes) / Double(sourceBytes) * 100
            size += " (\(Decimals.text(percent, digits: 2)) % of the source)"
        }
        var parts = [ClockText.exact(report.duration), size]
        var time = "\(Decimals.text(report.seconds, digits: 2)) s"
        if report.seconds > 0 {
            let speed = report.duration.seconds / report.seconds
            time += " (\(Decimals.text(speed, digits: 2))x)"
        }
        parts.append("took \(time)")
        if let loss = report.loss { parts.append("\(loss.extent) lost") }
        if !report.warnings.isEmpty {
            let count = report.warnings.count
            parts.append(count == 1 ? "1 warning" : "\(count) warnings")
        }
        return "\(report.output.escaped): \(parts.joined(separator: ", "))"
    }
}
