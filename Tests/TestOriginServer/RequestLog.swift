import Foundation
import TestSupport

/// A file to which requests are appended, one JSON object a line.
struct RequestLog: Sendable {
    private let descriptor: Int32

    /// Opens it; nil when that cannot be done.
    init?(path: String) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        if descriptor < 0 { return nil }
    }

    /// Writes a line in one call, so that lines of several threads do not mix.
    func append(_ record: OriginRecord) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard var line = try? encoder.encode(record) else { return complain("not written") }
        line.append(10)
        let written = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if written != line.count { complain("errno \(errno)") }
    }

    private func complain(_ why: String) {
        FileHandle.standardError.write(Data("log: \(why)\n".utf8))
    }
}
