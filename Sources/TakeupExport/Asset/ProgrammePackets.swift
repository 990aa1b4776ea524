internal import TakeupFFmpeg

/// Detects whether a programme stream ends within a packet, a sign of truncation.
///
/// - Note: Source: ISO/IEC 13818-1 §2.5.3 and ISO/IEC 11172-1 §2.4.3: start codes; each packet tells its length.
struct ProgrammePackets {
    /// Number of bytes before the end that are searched for a pack; almost all packs are shorter.
    private static let tailBytes: Int64 = 256 << 10
    private static let pack: [UInt8] = [0, 0, 1, 0xBA]

    private let window: ByteWindow

    init(_ window: ByteWindow) {
        self.window = window
    }

    var isCut: Bool {
        var place = max(0, window.size - Self.tailBytes)
        while let found = window.firstIndex(of: 0xBA, from: place, before: window.size) {
            let start = found - 3
            place = found + 1
            guard start >= 0, window.has(Self.pack, at: start), let next = end(of: start),
                next >= window.size || end(of: next) != nil
            else { continue }
            return follow(from: start)
        }
        return false
    }

    /// Returns whether the last packet of a chain extends beyond the end of the file.
    private func follow(from start: Int64) -> Bool {
        var place = start
        while place < window.size {
            guard let next = end(of: place) else { return isPart(place) }
            place = next
        }
        return place > window.size
    }

    /// Returns whether the last bytes of the file are the beginning of a packet header.
    private func isPart(_ place: Int64) -> Bool {
        window.size - place < 14 && window.has([0, 0, 1], at: place)
            && (window[place + 3] ?? 0xBA) >= 0xBA
    }

    /// Returns where a packet ends according to its length; nil without a complete header.
    private func end(of place: Int64) -> Int64? {
        guard window.has([0, 0, 1], at: place), let code = window[place + 3], code >= 0xB9 else {
            return nil
        }
        switch code {
        case 0xB9: return place + 4
        case 0xBA:
            guard let mark = window[place + 4] else { return nil }
            guard mark >> 6 == 1 else { return place + 12 }
            return window[place + 13].map { place + 14 + Int64($0 & 7) }
        default: return window.number(at: place + 4, bytes: 2).map { place + 6 + $0 }
        }
    }
}
