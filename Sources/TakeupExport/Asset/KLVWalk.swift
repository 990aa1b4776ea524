internal import TakeupFFmpeg
internal import TakeupTimeline

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

    /// - Returns: nil where each key follows the value before it, up to the footer or the end of the file.
    func fault() -> ContainerWalk.Fault? {
        var start: Int64 = 0
        while start < Self.longestRunIn, !window.has(Self.key, at: start) { start += 1 }
        guard start < Self.longestRunIn else { return nil }
        let footer = footer(start)
        var place = start
        while place < window.size, window.failure == nil {
            guard window.has(Self.key, at: place), let end = end(of: place) else {
                let isTail = ContainerWalk.isTail(
                    place, window, isElement: { window.has(Self.key, at: $0) })
                // What stands behind the footer is no part of the file.
                if isTail, footer.map({ place > $0 }) ?? true { return nil }
                return isTail ? .cut : .broken(at: place)
            }
            if end > window.size { return .cut }
            place = end
        }
        return footer.map { place <= $0 } ?? false ? .cut : nil
    }

    /// Where the footer begins, as the header's partition pack says; nil when the pack says nothing.
    ///
    /// - Note: Source: SMPTE ST 377-1 §7.1: two versions, the size of the grid, the places of this partition, of the
    ///   one before and of the footer.
    private func footer(_ start: Int64) -> Int64? {
        guard let end = end(of: start), window[start + 13] == 2,
            let value = valuePlace(of: start), end - value >= 32,
            let place = window.number(at: value + 24, bytes: 8), place > 0
        else { return nil }
        return place.addingClamped(start)
    }

    /// Where a key's value ends: its length has one byte, or tells in the first one how many more.
    private func end(of place: Int64) -> Int64? {
        guard let first = window[place + 16], let value = valuePlace(of: place) else { return nil }
        guard first & 0x80 != 0 else { return value + Int64(first) }
        guard let size = window.number(at: place + 17, bytes: value - place - 17), size >= 0
        else { return nil }
        return value.addingClamped(size)
    }

    private func valuePlace(of place: Int64) -> Int64? {
        guard let first = window[place + 16] else { return nil }
        guard first & 0x80 != 0 else { return place + 17 }
        let count = Int64(first & 0x7F)
        return (1...8).contains(count) ? place + 17 + count : nil
    }
}
