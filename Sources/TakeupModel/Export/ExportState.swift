/// Where an export session is in its life.
public enum ExportState: Sendable, Equatable, Codable {
    case pending
    case exporting(ExportProgress)
    case completed(ExportReport)
    case failed(ExportError)
    case cancelled
}
