internal import Foundation
internal import TakeupDigest
internal import TakeupModel

/// A file on its way to a server, and what tells it from every other file.
struct UploadedFile {
    let path: String
    let handle: FileHandle
    let length: UInt64
    /// `Upload-Metadata`: its name, and a digest of its place, its size and the times of its last changes.
    let metadata: String
    private let modified: timespec

    /// - Throws: With 66 for a file that cannot be read, or is empty.
    init(_ path: String) throws(Failure) {
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else {
            throw Self.unusable("\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        handle = FileHandle(fileDescriptor: opened, closeOnDealloc: true)
        var facts = stat()
        guard fstat(opened, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw Self.unusable("\(path) cannot be sent: it is no file")
        }
        guard facts.st_size > 0 else { throw Self.unusable("\(path) is empty") }
        (self.path, length) = (path, UInt64(facts.st_size))
        (metadata, modified) = (Self.metadata(path, facts), facts.st_mtim)
    }

    private static func metadata(_ path: String, _ facts: stat) -> String {
        let real = URL(filePath: path).resolvingSymlinksInPath().path
        let marks = [
            ProcessInfo.processInfo.hostName, real, "\(facts.st_dev)", "\(facts.st_ino)",
            "\(facts.st_size)", "\(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)",
            "\(facts.st_ctim.tv_sec).\(facts.st_ctim.tv_nsec)",
        ]
        let last = path.utf8.split(separator: UInt8(ascii: "/")).last
        let words = [
            ("filename", Data(last.map(Array.init) ?? [])),
            ("file", Data(SHA256Digest.of(marks.joined(separator: "\n")).utf8)),
        ]
        return words.map { "\($0.0) \($0.1.base64EncodedString())" }.joined(separator: ",")
    }

    /// Whether nobody has written to it since it was opened.
    var isUnchanged: Bool {
        var facts = stat()
        return fstat(handle.fileDescriptor, &facts) == 0 && UInt64(facts.st_size) == length
            && facts.st_mtim.tv_sec == modified.tv_sec && facts.st_mtim.tv_nsec == modified.tv_nsec
    }

    /// The digest of all its bytes, in lower-case hexadecimal; nil where they cannot be read, or `isStopped`.
    func sha256(isStopped: () -> Bool) -> String? {
        try? SHA256Digest.ofFile(handle.fileDescriptor, isStopped: isStopped)
    }

    private static func unusable(_ message: String) -> Failure {
        Failure(
            exitCode: .inputMissing, code: "inputMissing", stage: "request", message: message,
            hint: "name a media file")
    }
}
