internal import TakeupFFmpeg

/// Reads a few bytes here and there of a source, a block at a time.
final class ByteWindow {
    private static let blockBytes = 32 * 1024

    private let source: any ByteSource
    let size: Int64
    private var block: [UInt8] = []
    private var start: Int64 = 0
    /// The first read that failed; what it was to bring counts as not there.
    private(set) var failure: FFmpegError?

    /// Nil when the source does not say how long it is.
    init?(_ source: any ByteSource) {
        guard let size = source.byteCount else { return nil }
        self.source = source
        self.size = size
    }

    /// The byte at an offset; nil behind the end.
    subscript(offset: Int64) -> UInt8? {
        guard offset >= 0, offset < size else { return nil }
        if offset < start || offset >= start + Int64(block.count) { load(offset) }
        let place = Int(offset - start)
        return place < block.count ? block[place] : nil
    }

    /// A big-endian number; nil when it is not all there.
    func number(at offset: Int64, bytes: Int64) -> Int64? {
        var value: Int64 = 0
        for place in 0..<bytes {
            guard let byte = self[offset + place] else { return nil }
            value = value << 8 | Int64(byte)
        }
        return value
    }

    /// A little-endian number; nil when it is not all there, or is larger than any file.
    func littleEndian(at offset: Int64, bytes: Int64) -> Int64? {
        var value: UInt64 = 0
        for place in 0..<bytes {
            guard let byte = self[offset + place] else { return nil }
            value |= UInt64(byte) << (8 * UInt64(place))
        }
        return Int64(exactly: value)
    }

    /// Whether some bytes stand at an offset.
    func has(_ bytes: [UInt8], at offset: Int64) -> Bool {
        bytes.indices.allSatisfy { self[offset + Int64($0)] == bytes[$0] }
    }

    /// Where a byte stands next, from an offset on and before a limit; nil when it does not.
    func firstIndex(of byte: UInt8, from offset: Int64, before limit: Int64) -> Int64? {
        var offset = offset
        while offset < limit, self[offset] != nil {
            let first = Int(offset - start)
            if let found = block[first...].firstIndex(of: byte).map({ start + Int64($0) }) {
                return found < limit ? found : nil
            }
            guard block.count > first else { return nil }
            offset = start + Int64(block.count)
        }
        return nil
    }

    /// Where the next byte stands that is not 0 or cannot be read, from an offset on; the end when there is none.
    func firstNonZero(from offset: Int64) -> Int64 {
        var offset = offset
        while offset < size, self[offset] != nil {
            let first = Int(offset - start)
            if let found = block[first...].firstIndex(where: { $0 != 0 }) {
                return start + Int64(found)
            }
            offset = start + Int64(block.count)
        }
        return offset
    }

    private func load(_ offset: Int64) {
        start = offset
        block = [UInt8](repeating: 0, count: Int(min(Int64(Self.blockBytes), size - offset)))
        do throws(FFmpegError) {
            let count = try source.bytes(at: offset, into: &block)
            block.removeLast(block.count - count)
        } catch {
            failure = failure ?? error
            block = []
        }
    }
}
