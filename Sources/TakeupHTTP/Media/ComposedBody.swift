internal import Foundation

/// Several bodies of known lengths, one after another.
public final class ComposedBody: BodySource {
    private struct Piece {
        let body: HTTPBody
        let range: Range<Int64>
    }

    private let pieces: [Piece]

    /// Joins bodies, each of a known length, into one.
    public static func joining(_ bodies: [HTTPBody]) -> HTTPBody {
        let source = ComposedBody(bodies)
        return .stream(source, length: source.pieces.last?.range.upperBound ?? 0)
    }

    private init(_ bodies: [HTTPBody]) {
        var pieces: [Piece] = []
        var offset: Int64 = 0
        for body in bodies {
            guard let length = body.length else {
                preconditionFailure("a part of a body has a length")
            }
            pieces.append(Piece(body: body, range: offset..<offset + length))
            offset += length
        }
        self.pieces = pieces
    }

    public func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, isAbandoned: () -> Bool
    ) throws -> Int {
        guard let piece = pieces.first(where: { $0.range.contains(offset) }) else { return 0 }
        let start = offset - piece.range.lowerBound
        let most = Int(min(Int64(buffer.count), piece.range.upperBound - offset))
        let count = try piece.body.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<most]), at: start,
            isAbandoned: isAbandoned)
        // The pieces behind a short one would be taken for its bytes.
        guard count > 0 else { throw ShortBody() }
        return count
    }

    public func close() {
        for piece in pieces { piece.body.close() }
    }
}

/// A body ended before its stated length.
struct ShortBody: Error {}

extension HTTPBody {
    /// A body of which nothing is sent: of a response to HEAD, or of 304.
    public static func unsent(length: Int64?) -> HTTPBody { .stream(UnsentBody(), length: length) }

    /// Copies the next bytes; 0 at the end.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, isAbandoned: () -> Bool
    ) throws -> Int {
        switch self {
        case .none: return 0
        case .bytes(let bytes):
            let part = bytes[Int(offset)...].prefix(buffer.count)
            buffer.copyBytes(from: part)
            return part.count
        case .file(let part):
            let wanted = Int(min(Int64(buffer.count), part.count - offset))
            let count = pread(
                part.descriptor, buffer.baseAddress, wanted, off_t(part.offset + offset))
            return max(0, count)
        case .stream(let source, _):
            return try source.read(into: buffer, at: offset, isAbandoned: isAbandoned)
        }
    }

    func close() {
        if case .stream(let source, _) = self { source.close() }
    }
}

private final class UnsentBody: BodySource {
    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, isAbandoned: () -> Bool
    ) throws -> Int { 0 }

    func close() {}
}
