import Foundation

/// Where the bytes of an object of a `TestOrigin` come from.
public enum OriginContent: Sendable, Equatable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// A file, opened anew for every read, so that it may change at any time.
    case file(String)
    /// The first bytes of a pattern; any length costs no memory.
    case pattern(OriginPattern, length: Int64)

    /// So many bytes of a seed's pattern.
    public static func synthetic(length: Int64, seed: UInt64 = 1) -> OriginContent {
        .pattern(OriginPattern(seed: seed), length: length)
    }

    /// How many bytes there are now.
    ///
    /// - Throws: `ToolFailure` when the file cannot be asked.
    public func length() throws(ToolFailure) -> Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .file(let path): Int64(try Self.status(of: path).st_size)
        case .pattern(_, let length): length
        }
    }

    /// The bytes of a range, or fewer when the content ends before its end.
    ///
    /// - Throws: `ToolFailure` when the file cannot be read.
    public func read(_ range: Range<Int64>) throws(ToolFailure) -> [UInt8] {
        switch self {
        case .bytes(let bytes):
            let start = Int(min(range.lowerBound, Int64(bytes.count)))
            return Array(bytes[start...].prefix(range.count))
        case .file(let path):
            return try Self.read(range, of: path)
        case .pattern(let pattern, let length):
            let part = range.clamped(to: 0..<max(length, 0))
            if part.isEmpty { return [] }
            return [UInt8](unsafeUninitializedCapacity: part.count) { buffer, count in
                let bytes = UnsafeMutableRawBufferPointer(buffer)
                pattern.fill(.init(rebasing: bytes[..<part.count]), from: part.lowerBound)
                count = part.count
            }
        }
    }

    static func status(of path: String) throws(ToolFailure) -> stat {
        var status = stat()
        guard stat(path, &status) == 0 else { throw ToolFailure("stat \(path): errno \(errno)") }
        return status
    }

    private static func read(_ range: Range<Int64>, of path: String) throws(ToolFailure) -> [UInt8]
    {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ToolFailure("open \(path): errno \(errno)") }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: range.count)
        var done = 0
        while done < bytes.count {
            let offset = off_t(range.lowerBound) + off_t(done)
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, offset)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ToolFailure("read \(path): errno \(errno)") }
            if count == 0 { break }
            done += count
        }
        return Array(bytes.prefix(done))
    }
}
