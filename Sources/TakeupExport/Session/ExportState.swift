/// Where an export session is in its life.
public enum ExportState: Sendable, Equatable {
    case pending
    case exporting(ExportProgress)
    case completed(ExportReport)
    case failed(ExportError)
    case cancelled
}
