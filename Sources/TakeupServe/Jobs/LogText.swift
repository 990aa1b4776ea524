internal import Foundation
internal import TakeupFiles

/// The end of a job's log.
enum LogText {
    private static let mostBytes = 1 << 20

    /// - Returns: Empty where there is none.
    /// - Throws: With 503 for one that cannot be read.
    static func read(_ path: String) throws(Refusal) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            guard errno == ENOENT else { throw Refusal(reading: .failed(path, errno: errno)) }
            return []
        }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0 else {
            throw Refusal(reading: .failed(path, errno: errno))
        }
        let start = max(0, Int(facts.st_size) - mostBytes)
        var bytes = [UInt8](repeating: 0, count: mostBytes)
        let count = pread(file, &bytes, mostBytes, off_t(start))
        guard count >= 0 else { throw Refusal(reading: .failed(path, errno: errno)) }
        return Array(bytes.prefix(count))
    }
}
