internal import Foundation
internal import TakeupFiles
internal import TakeupModel

/// Folders of the home folder that this user alone may enter.
enum PrivateFolder {
    /// Makes one where it is not there.
    ///
    /// - Throws: `FileError.notCreated`, `.notPermitted` or `.diskFull`.
    static func make(_ path: String) throws(FileError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw .creating(path, errno)
    }
}

extension Refusal {
    /// For the server's own files.
    init(_ error: FileError) {
        switch Self.code(of: error) {
        case ENOSPC, EDQUOT: self = .diskFull
        case EMFILE, ENFILE: self = .tooManyFiles
        default:
            self.init(
                500,
                Failure(
                    exitCode: .inputOutput, code: "storageFailed", stage: "request",
                    message: "the server cannot write to its home folder: \(error.reason)",
                    hint: "check the disk and the folder's permissions"))
        }
    }

    /// For the server's own files that cannot be read now: what they hold is unknown, so nothing is done.
    init(reading error: FileError) {
        guard ![EMFILE, ENFILE].contains(Self.code(of: error)) else {
            self = .tooManyFiles
            return
        }
        self.init(
            503,
            Failure(
                exitCode: .inputOutput, code: "storageFailed", stage: "request",
                message: "the server cannot read its home folder: \(error.reason)",
                hint: "check the disk and the folder's permissions"))
    }

    private static func code(of error: FileError) -> Int32 {
        switch error {
        case .exists: EEXIST
        case .notCreated(_, let code), .notPermitted(_, let code), .diskFull(_, let code),
            .failed(_, let code):
            code
        }
    }

    /// Reads what belongs to the server itself.
    static func reading<Value>(
        files body: () throws(FileError) -> Value
    ) throws(Refusal) -> Value {
        do throws(FileError) { return try body() } catch { throw Refusal(reading: error) }
    }

    static var diskFull: Refusal {
        Refusal(
            507,
            Failure(
                code: "diskFull", stage: "request",
                message:
                    "the disk of the server's home folder has too little free space for the upload",
                hint: "free some space on the disk of the server's home folder",
                ending: .diskFull))
    }

    static var tooManyFiles: Refusal {
        Refusal(
            503,
            Failure(
                code: "tooManyFiles", stage: "request",
                message: "the server has too many files open",
                hint: "try again; raise the limit of open files where this goes on",
                ending: Failure.Ending(.temporary, .retry)), [("Retry-After", "5")])
    }
}
