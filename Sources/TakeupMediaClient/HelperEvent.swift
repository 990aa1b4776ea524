public import TakeupModel

/// What a helper tells while it works.
public enum HelperEvent: Sendable, Equatable, Codable {
    /// The export is decided, and nothing is written yet.
    case planned(ExportPlan)
    case progress(ExportProgress)
    case warning(ExportWarning)
}
