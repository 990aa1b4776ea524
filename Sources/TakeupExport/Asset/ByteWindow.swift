internal import TakeupFFmpeg
internal import TakeupLanes

/// Reads single bytes and numbers from a source, through one cached block.
final class ByteWindow {
    private static let blockBytes = 32 * 1024

    private let source: any ByteSource
    private let cancellation: Cancellation?
    let size: Int64
    private var block: [UInt8] = []
    private var start: Int64 = 0
    /// The first failed read; its bytes count as missing.
    private(set) var failure: FFmpegError?

    /// Fails if the source has no known size.
    ///
    /// Once `cancellation` is cancelled, every read fails.
    init?(_ source: any ByteSource, _ cancellation: Cancellation? = nil) {
        guard let size = source.byteCount else { return nil }
        self.source = source
        self.cancellation = cancellation
        self.size = size
    }

    /// The byte at an offset; nil beyond the end.
    subscript(offset: Int64) -> UInt8? {
        guard offset >= 0, offset < size else { return nil }
        if offset < start || offset >= start + Int64(block.count) { load(offset) }
        let place = Int(offset - start)
        return place < block.count ? block[place] : nil
    }

    /// Returns a big-endian number; nil if some bytes are missing.
    func number(at offset: Int64, bytes: Int64) -> Int64? {
        var value: Int64 = 0
        for place in 0..<bytes {
            guard let byte = self[offset + place] else { return nil }
            value = value << 8 | Int64(byte)
        }
        return value
    }

    /// Returns a little-endian number; nil if some bytes are missing or the number exceeds any file
    /// size.
    func littleEndian(at offset: Int64, bytes: Int64) -> Int64? {
        var value: UInt64 = 0
        for place in 0..<bytes {
            guard let byte = self[offset + place] else { return nil }
            value |= UInt64(byte) << (8 * UInt64(place))
        }
        return Int64(exactly: value)
    }

    /// Returns whether certain bytes lie at an offset.
    func has(_ bytes: [UInt8], at offset: Int64) -> Bool {
        bytes.indices.allSatisfy { self[offset + Int64($0)] == bytes[$0] }
    }

    /// Returns the next offset of a byte, from `offset` on and before `limit`; nil if there is
    /// none.
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

    /// Returns the offset of the next byte that is not 0 or cannot be read; the source's end if
    /// there is none.
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

    /// Returns where the run of zeros before an offset begins, but not before `bound` or an
    /// unreadable byte.
    func startOfZeros(before end: Int64, notBefore bound: Int64) -> Int64 {
        var end = end
        while end > bound {
            let from = max(bound, end - Int64(Self.blockBytes))
            load(from)
            let count = Int(end - from)
            guard block.count >= count else { return end }
            if let last = block[..<count].lastIndex(where: { $0 != 0 }) {
                return from + Int64(last) + 1
            }
            end = from
        }
        return end
    }

    /// Computes a left-shifting CRC over a range; nil if some bytes cannot be read.
    func checksum(_ range: Range<Int64>, _ start: UInt32, _ table: [UInt32]) -> UInt32? {
        var sum = start
        var place = range.lowerBound
        while place < range.upperBound {
            guard self[place] != nil else { return nil }
            let first = Int(place - self.start)
            let count = min(block.count - first, Int(range.upperBound - place))
            for byte in block[first..<first + count] {
                sum = sum << 8 ^ table[Int(sum >> 24 ^ UInt32(byte))]
            }
            place += Int64(count)
        }
        return sum
    }

    private func load(_ offset: Int64) {
        start = offset
        block = [UInt8](repeating: 0, count: Int(min(Int64(Self.blockBytes), size - offset)))
        do throws(FFmpegError) {
            if cancellation?.isCancelled == true {
                throw FFmpegError(.read, status: .interrupted, subject: "bytes")
            }
            let count = try source.bytes(at: offset, into: &block)
            block.removeLast(block.count - count)
        } catch {
            failure = failure ?? error
            block = []
        }
    }
}
