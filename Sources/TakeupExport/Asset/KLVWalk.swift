internal import TakeupFFmpeg
internal import TakeupTimeline

/// Walks the keys and lengths of an MXF file.
///
/// - Note: Source: SMPTE ST 377-1 §6.2 (KLV), §6.5 (run-in, shorter than 64 KiB); SMPTE ST 336.
struct KLVWalk {
    private static let key: [UInt8] = [0x06, 0x0E, 0x2B, 0x34]
    private static let longestRunIn: Int64 = 64 << 10
    /// Longest junk after a file with unknown end, in bytes.
    private static let mostJunk: Int64 = 64 << 10
    /// Bytes that partition packs and the random index pack share, from the ninth byte of the key
    /// on.
    private static let pack: [UInt8] = [0x0D, 0x01, 0x02, 0x01, 0x01]
    private static let footerPack: UInt8 = 4
    private static let randomIndexPack: UInt8 = 0x11

    private let window: ByteWindow

    init(_ window: ByteWindow) {
        self.window = window
    }

    /// - Returns: nil if each key follows the previous value, up to the footer or the end of the
    ///   file.
    func fault() -> ContainerWalk.Fault? {
        var start: Int64 = 0
        while start < Self.longestRunIn, !window.has(Self.key, at: start) { start += 1 }
        guard start < Self.longestRunIn else { return nil }
        let footer = footer(start)
        var hasEnd = false
        var place = start
        while place < window.size, window.failure == nil {
            guard window.has(Self.key, at: place), let end = end(of: place) else {
                let isTail = ContainerWalk.isTail(
                    place, window, isElement: { window.has(Self.key, at: $0) })
                guard isTail else { return .broken(at: place) }
                // Bytes after the footer are not part of the file.
                let isBehind = footer.map { place > $0 } ?? (hasEnd || isJunk(place))
                return isBehind ? nil : .cut
            }
            if end > window.size { return .cut }
            if isEnd(place) { hasEnd = true }
            place = end
        }
        return footer.map { place <= $0 } ?? false ? .cut : nil
    }

    /// Returns whether a key begins the footer or the random index pack, the last parts of a file.
    ///
    /// - Note: Source: SMPTE ST 377-1 §7.4 (footer), §12 (random index pack).
    private func isEnd(_ place: Int64) -> Bool {
        guard window.has(Self.pack, at: place + 8), let kind = window[place + 13] else {
            return false
        }
        return kind == Self.footerPack || kind == Self.randomIndexPack
    }

    /// Returns whether the rest is short and not unwritten zeros, and therefore junk instead of a
    /// loss.
    private func isJunk(_ place: Int64) -> Bool {
        window.size - place <= Self.mostJunk && window[place] != 0
    }

    /// Returns where the footer begins according to the header's partition pack; nil if not stated.
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

    /// Returns where a key's value ends: the length has one byte, or its first byte counts the
    /// length bytes.
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
