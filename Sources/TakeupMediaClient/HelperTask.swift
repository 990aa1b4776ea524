public import TakeupModel

/// What a helper is asked to do.
///
/// The open files go ahead of the task.
package enum HelperTask: Sendable, Equatable, Codable {
    /// Export. One source after the other goes ahead; the output follows once the plan is told.
    case export(HelperRequest)
    /// Decide everything of an export with each of some presets, and write nothing.
    case plan(HelperRequest, presets: [ExportPreset])
    /// Look into a source whole.
    case inspect(name: String, remoteLength: Int64?)
    /// Decode a file whole.
    case decode(name: String)
    /// Look into a file for what rules ask.
    case probe(name: String)
    /// Say what the media libraries are, and which of these encoders and filters they have.
    case inventory(encoders: Set<String>, filters: Set<String>)

    /// Returns true for an answer of the kind that this task asks for.
    func accepts(_ answer: HelperAnswer) -> Bool {
        switch (self, answer) {
        case (.export, .exported), (.inspect, .described), (.decode, .verified),
            (.probe, .probed), (.inventory, .inventory):
            true
        case (.plan(_, let presets), .planned(let answers)): answers.count == presets.count
        default: false
        }
    }
}

/// What a helper answers to a task that it has done.
public enum HelperAnswer: Sendable, Equatable, Codable {
    case exported(ExportReport)
    /// In the presets' order.
    case planned([PlanAnswer])
    case described(AssetDescription)
    case verified(Verification)
    case probed(MediaFacts)
    case inventory(MediaInventory)
}

/// How one preset and the sources get on.
public enum PlanAnswer: Sendable, Equatable, Codable {
    case plan(ExportPlan)
    case refused(ExportError)
}

/// Why a helper could not do a task.
public struct HelperFailure: Error, Sendable, Equatable, Codable {
    /// The failure in words.
    public var report: Failure
    /// The same as the engine threw it; nil where the engine was not asked.
    public var error: ExportError?

    package init(_ error: ExportError) { (report, self.error) = (Failure(error), error) }

    package init(_ report: Failure) { (self.report, error) = (report, nil) }
}
