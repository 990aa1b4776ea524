import TakeupExport

/// An export's plan as people read it.
enum PlanText {
    static func lines(_ plan: ExportPlan) -> [String] {
        let decisions = plan.decisions.map {
            [$0.subject.escaped, $0.choice.escaped, $0.reason.escaped]
        }
        let warnings = plan.warnings.map { "warning: \($0.message.escaped)" }
        return TextTable.lines(decisions + [["duration", ClockText.exact(plan.duration), ""]])
            .map { String($0.reversed().drop { $0 == " " }.reversed()) } + warnings
    }
}
