internal import Foundation
package import TakeupFiles
package import TakeupModel

extension ExportError {
    /// What an error of the file system means for an export's output.
    package init(_ error: FileError) {
        switch error {
        case .exists(let path): self = .outputExists(path)
        case .notCreated(let path, _): self = .outputNotCreated(path, reason: error.reason)
        case .notPermitted(let path, _): self = .outputNotPermitted(path)
        case .diskFull(let path, _): self = .diskFull(path)
        case .failed(let path, _): self = .outputFailed(path, reason: error.reason)
        }
    }

    /// Does something with files, throwing this module's own error.
    package static func files<Value>(_ body: () throws(FileError) -> Value) throws(ExportError)
        -> Value
    {
        do throws(FileError) {
            return try body()
        } catch {
            throw ExportError(error)
        }
    }
}

extension ExportError {
    /// Says why a source could not be opened.
    ///
    /// - Parameters:
    ///   - name: What the source is called.
    ///   - reason: The system's number; `EISDIR` for a folder, `EINVAL` for a pipe or a device.
    package init(opening name: String, errno reason: Int32) {
        switch reason {
        case ENOENT, ENOTDIR: self = .inputMissing(name)
        case EACCES, EPERM: self = .inputNotPermitted(name)
        case EISDIR: self = .folder(name)
        case EINVAL, ENXIO:
            self = .notMedia(name, reason: "it is not a regular file")
        default: self = .inputUnreadable(name, reason: String(cString: strerror(reason)))
        }
    }
}
