internal import TakeupFFmpeg

/// Walks a NUT file from packet to packet, and from frame to frame between them.
///
/// - Note: Source: NUT Open Container Format, 2008-01-03; FFmpeg 5.1, `nutdec.c`.
struct NUTWalk {
    /// The start codes of packets; all begin with this byte, and no frame does.
    private enum Mark {
        static let first: UInt8 = 0x4E
        static let main: [UInt8] = [0x4E, 0x4D, 0x7A, 0x56, 0x1F, 0x5F, 0x04, 0xAD]
        static let stream: [UInt8] = [0x4E, 0x53, 0x11, 0x40, 0x5B, 0xF2, 0xF9, 0xDB]
        static let sync: [UInt8] = [0x4E, 0x4B, 0xE4, 0xAD, 0xEE, 0xCA, 0x45, 0x69]
        static let index: [UInt8] = [0x4E, 0x58, 0xDD, 0x67, 0x2F, 0x23, 0xE6, 0x4E]
        static let info: [UInt8] = [0x4E, 0x49, 0xAB, 0x68, 0xB5, 0x96, 0xBA, 0x78]
    }

    /// Length of the file's name for itself, in bytes.
    private static let headBytes: Int64 = 25
    /// The content of longer packets follows a checksum of the packet's header.
    private static let shortPacket: Int64 = 4096
    /// Unit of the pointers from one sync point to an earlier one, in bytes.
    private static let pointerUnit: Int64 = 16
    /// Number of bytes that are searched for a sync point.
    private static let searchBytes: Int64 = 4 << 20

    private let window: ByteWindow

    init(_ window: ByteWindow) {
        self.window = window
    }

    func fault() -> ContainerWalk.Fault? {
        var place = Self.headBytes
        var table: NUTFrames?
        var points: [Int64] = []
        while place < window.size {
            let end: Int64?
            if window[place] == Mark.first {
                let content = packet(at: place)
                end = content?.upperBound
                if window.has(Mark.index, at: place), let end, end <= window.size { break }
                if window.has(Mark.main, at: place), let content {
                    table = NUTFrames(window, content.lowerBound)
                }
                if window.has(Mark.sync, at: place), let content {
                    guard follows(points, place, content) else { return .broken(at: place) }
                    points.append(place)
                }
            } else {
                // A header that cannot be read tells nothing.
                guard let table else { return nil }
                end = table.end(of: place, window)
            }
            guard let end, end <= window.size else {
                return passed(points, place) ?? fault(at: place, end)
            }
            place = end
        }
        return passed(points, place)
    }

    /// Returns a fault if the walk has passed over a sync point, as only wrong sizes make it do.
    private func passed(_ points: [Int64], _ place: Int64) -> ContainerWalk.Fault? {
        guard let last = points.last, let next = point(from: last + 1), next < place else {
            return nil
        }
        return .broken(at: next)
    }

    /// Returns where the next sync point begins; nil if there is none in the next bytes.
    private func point(from place: Int64) -> Int64? {
        let limit = min(window.size, place + Self.searchBytes)
        var next = place
        while let found = window.firstIndex(of: Mark.first, from: next, before: limit) {
            if window.has(Mark.sync, at: found) { return found }
            next = found + 1
        }
        return nil
    }

    /// Returns the content of the packet at an offset; nil if no sound packet begins there.
    ///
    /// A packet that is cut has a content beyond the end.
    private func packet(at place: Int64) -> Range<Int64>? {
        let marks = [Mark.main, Mark.stream, Mark.sync, Mark.index, Mark.info]
        guard marks.contains(where: { window.has($0, at: place) }) else { return nil }
        var cursor = NUTCursor(window, at: place + Int64(Mark.main.count))
        guard let length = cursor.number() else { return place..<window.size + 1 }
        guard NUTCursor.isSize(length) else { return nil }
        let start = cursor.place + (length > Self.shortPacket ? 4 : 0)
        let content = start..<start + length
        guard content.upperBound <= window.size else { return content }
        return window.checksum(content, 0, OggPages.table) == 0 ? content : nil
    }

    /// Returns whether the earlier sync point to which one points is where it should be.
    private func follows(_ points: [Int64], _ place: Int64, _ content: Range<Int64>) -> Bool {
        guard content.upperBound <= window.size else { return true }
        var cursor = NUTCursor(window, at: content.lowerBound)
        guard cursor.number() != nil, let steps = cursor.number(), steps != 0 else { return true }
        guard NUTCursor.isSize(steps) else { return false }
        let latest = place - Self.pointerUnit * steps
        return points.last { $0 <= latest }.map { $0 > latest - Self.pointerUnit } ?? false
    }

    /// Judges an element that cannot be read, or ends beyond the file.
    private func fault(at place: Int64, _ end: Int64?) -> ContainerWalk.Fault? {
        guard point(from: place + 1) == nil else { return .broken(at: place) }
        if end != nil { return .cut }
        return window.size - place > UnwrittenParts.padding(window) ? .broken(at: place) : nil
    }
}
