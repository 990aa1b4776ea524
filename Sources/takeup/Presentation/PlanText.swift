import TakeupModel
import TakeupIntake

/// An export's plan as people read it: a line for each decision, at most 80 columns wide where words allow it.
enum PlanText {
    private static let columns = 80

    /// - Parameters:
    ///   - plan: What would be done.
    ///   - output: The file that would be written; nil where that is said elsewhere.
    ///   - indent: In front of every line.
    /// - Returns: Lines without their ends.
    static func lines(_ plan: ExportPlan, output: String? = nil, indent: String = "") -> [String] {
        var rows = plan.decisions.map { ($0.subject, "\($0.choice): \($0.reason)") }
        if let output { rows.append(("output", output)) }
        rows.append(("duration", ClockText.exact(plan.duration)))
        if let size = plan.expectedSize { rows.append(("bytes", text(size))) }
        let width = (rows.map(\.0.escaped.count).max() ?? 0) + 2
        let lines = rows.flatMap { row in
            let text = TextTable.wrap(row.1.escaped, width: columns - width - indent.count)
            return text.enumerated().map { place, part in
                indent + TextTable.padded(place == 0 ? row.0.escaped : "", to: width) + part
            }
        }
        return lines + plan.warnings.map { "\(indent)warning: \($0.message.escaped)" }
    }

    /// Such as `about 1.24 MB, an estimate`.
    private static func text(_ size: ExpectedSize) -> String {
        let bytes = ByteSize(bytes: size.bytes)
        return size.isMeasured ? "\(bytes), as measured" : "about \(bytes), an estimate"
    }
}
