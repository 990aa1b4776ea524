public import TakeupExport
public import TakeupTimeline

/// What a helper tells while it works.
public enum HelperEvent: Sendable, Equatable, Codable {
    /// The export is decided, and nothing is written yet.
    ///
    /// - Parameters:
    ///   - estimatedBytes: About how large the output becomes; nil when that cannot be told.
    ///   - duration: How long it lasts.
    case planned(estimatedBytes: Int64?, duration: MediaTime)
    case progress(ExportProgress)
    case warning(ExportWarning)
}
