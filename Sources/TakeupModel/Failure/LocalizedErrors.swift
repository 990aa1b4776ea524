public import Foundation

extension FailureReport: LocalizedError {
    public var errorDescription: String? { message }
}

extension ExportError: LocalizedError {
    public var errorDescription: String? { FailureReport(self).message }
}

extension PresetError: LocalizedError {
    public var errorDescription: String? { FailureReport(self).message }
}

extension MediaFailure: LocalizedError {
    public var errorDescription: String? { description }
}
