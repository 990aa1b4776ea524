public import Foundation

extension ExportError: LocalizedError {
    public var errorDescription: String? { Failure(self).message }
}

extension PresetError: LocalizedError {
    public var errorDescription: String? { Failure(self).message }
}

extension MediaFailure: LocalizedError {
    public var errorDescription: String? { description }
}
