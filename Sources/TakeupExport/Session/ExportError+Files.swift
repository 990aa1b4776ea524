internal import TakeupFiles

extension ExportError {
    /// What an error of the file system means for an export's output.
    init(_ error: FileError) {
        switch error {
        case .exists(let path): self = .outputExists(path)
        case .notCreated(let path, _): self = .outputNotCreated(path, reason: error.reason)
        case .notPermitted(let path, _): self = .outputNotPermitted(path)
        case .diskFull(let path, _): self = .diskFull(path)
        case .failed(let path, _): self = .outputFailed(path, reason: error.reason)
        }
    }

    /// Does something with files, throwing this module's own error.
    static func files<Value>(_ body: () throws(FileError) -> Value) throws(ExportError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw ExportError(error)
        }
    }
}
