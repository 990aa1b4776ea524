internal import TakeupFFmpeg

/// Follows the keys and lengths of an MXF file.
///
/// - Note: Source: SMPTE ST 377-1 §6.2 (KLV), §6.5 (run-in, shorter than 64 KiB); SMPTE ST 336.
struct KLVWalk {
    private static let key: [UInt8] = [0x06, 0x0E, 0x2B, 0x34]
    private static let longestRunIn: Int64 = 64 << 10

    private let window: ByteWindow

    init(_ window: ByteWindow) {
        self.window = window
    }

    func fault() -> ContainerWalk.Fault? {
        var place: Int64 = 0
        while place < Self.longestRunIn, !window.has(Self.key, at: place) { place += 1 }
        guard place < Self.longestRunIn else { return nil }
        while place < window.size {
            guard window.has(Self.key, at: place) else {
                guard
                    ContainerWalk.isTail(place, window, isElement: { window.has(Self.key, at: $0) })
                else { return .broken(at: place) }
                return window.size - place > Self.longestRunIn ? .cut : nil
            }
            guard let end = end(of: place) else { return .cut }
            if end > window.size { return .cut }
            place = end
        }
        return nil
    }

    /// Where a key's value ends: its length has one byte, or tells in the first one how many more.
    private func end(of place: Int64) -> Int64? {
        guard let first = window[place + 16] else { return nil }
        guard first & 0x80 != 0 else { return place + 17 + Int64(first) }
        let count = Int64(first & 0x7F)
        guard (1...8).contains(count), let size = window.number(at: place + 17, bytes: count),
            size >= 0
        else { return nil }
        let (end, overflow) = (place + 17 + count).addingReportingOverflow(size)
        return overflow ? .max : end
    }
}
