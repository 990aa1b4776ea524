internal import TakeupFetch
internal import TakeupFiles
internal import TakeupHTTP
internal import TakeupLanes

/// Reads one version of a source for one response.
final class ProxyReading: Sendable {
    /// Bytes that are read before the response begins; what goes wrong until then has a status of its own.
    private static let firstBytes = 4096

    private let loader: ResourceLoader
    private let reader: SourceReader
    /// What was here when the request came.
    private let held: RangeSet
    private let firstOffset: Int64
    private let first: [UInt8]
    private let figures: MediaFigures
    private let onEnd: @Sendable () -> Void
    private let hasEnded = Locked(false)

    /// Waits for the first bytes.
    init(
        _ loader: ResourceLoader, at offset: Int64, held: RangeSet, figures: MediaFigures,
        isAbandoned: () -> Bool, onEnd: @escaping @Sendable () -> Void
    ) throws(FetchError) {
        (self.loader, self.held, self.figures) = (loader, held, figures)
        (reader, firstOffset, self.onEnd) = (loader.reader(), offset, onEnd)
        var bytes = [UInt8](repeating: 0, count: Self.firstBytes)
        let count = try Self.read(&bytes, reader, offset, isAbandoned)
        first = Array(bytes.prefix(count))
    }

    private static func read(
        _ bytes: inout [UInt8], _ reader: SourceReader, _ offset: Int64, _ isAbandoned: () -> Bool
    ) throws(FetchError) -> Int {
        let result = bytes.withUnsafeMutableBytes { room -> Result<Int, FetchError> in
            do throws(FetchError) {
                return .success(try reader.read(into: room, at: offset, isStopped: isAbandoned))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The bytes of a range; nil for all of an object of unknown length.
    func body(_ range: Range<Int64>?) -> HTTPBody {
        .stream(
            ProxyBody(self, range ?? 0..<Int64.max),
            length: range.map { $0.upperBound - $0.lowerBound })
    }

    fileprivate func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, isAbandoned: () -> Bool
    ) throws(FetchError) -> Int {
        let count: Int
        if offset >= firstOffset, offset - firstOffset < first.count {
            let part = first[Int(offset - firstOffset)...].prefix(buffer.count)
            buffer.copyBytes(from: part)
            count = part.count
        } else {
            count = try reader.read(into: buffer, at: offset, isStopped: isAbandoned)
        }
        let here = held.intersection(offset..<offset + Int64(count)).byteCount
        figures.serve(cache: here, origin: Int64(count) - here)
        return count
    }

    func end() {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        guard isFirst else { return }
        reader.cancel()
        onEnd()
    }
}

/// One range of a source as the body of a response, or as a part of one.
private final class ProxyBody: BodySource {
    private let reading: ProxyReading
    private let range: Range<Int64>

    init(_ reading: ProxyReading, _ range: Range<Int64>) {
        (self.reading, self.range) = (reading, range)
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, isAbandoned: () -> Bool
    ) throws -> Int {
        let place = range.lowerBound + offset
        let most = Int(min(Int64(buffer.count), range.upperBound - place))
        guard most > 0 else { return 0 }
        return try reading.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<most]), at: place,
            isAbandoned: isAbandoned)
    }

    func close() { reading.end() }
}
