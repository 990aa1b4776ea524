internal import TakeupTimeline

/// Follows the access units of raw MLP or TrueHD.
///
/// Only a unit with a major sync has a mark and tells the number of substreams. The other units
/// have a length and a parity, so the units must be read in order.
final class MeridianUnits {
    /// Mark of a major sync, without its last bit, which tells the two codecs apart.
    private static let mark: Int64 = 0xF872_6FBA

    private var substreams: UInt8 = 1
    private var length = MediaTime(value: 1, timescale: 1200)

    /// Reads the header of the unit at an offset.
    ///
    /// - Note: Source: Dolby, Meridian Lossless Packing, Technical Reference for FBA and FBB Streams 1.0, chapter 3.
    func head(_ window: ByteWindow, _ place: Int64) -> RawFrames.Head? {
        guard let first = window.number(at: place, bytes: 2), first & 0xFFF > 1 else { return nil }
        if Self.hasSync(window, place) {
            readSync(window, place)
        } else if !hasParity(window, place) {
            return nil
        }
        return RawFrames.Head(bytes: (first & 0xFFF) * 2, length: length)
    }

    /// Returns whether a unit with a major sync begins at an offset: no decoder starts at another one.
    static func hasSync(_ window: ByteWindow, _ place: Int64) -> Bool {
        window.number(at: place + 4, bytes: 4).map { $0 & ~1 == mark } ?? false
    }

    private func readSync(_ window: ByteWindow, _ place: Int64) {
        substreams = (window[place + 20] ?? 0x10) >> 4
        // MLP has the rate in the second byte behind the mark, TrueHD in the first.
        let rate = window[place + 7] == 0xBB ? window[place + 9] : window[place + 8]
        // A unit has 40 samples at 44.1 or 48 kHz, 80 at twice the rate, and so on.
        let isOdd = rate.map { $0 >> 4 & 8 != 0 } ?? false
        length = MediaTime(value: 40, timescale: isOdd ? 44_100 : 48_000)
    }

    /// Returns whether the nibbles of the header and of the substreams' directory have odd parity.
    private func hasParity(_ window: ByteWindow, _ place: Int64) -> Bool {
        var parity: UInt8 = 0
        var next = place
        func take(_ count: Int64) -> Bool {
            for offset in 0..<count {
                guard let byte = window[next + offset] else { return false }
                parity ^= byte
            }
            next += count
            return true
        }
        guard take(4) else { return false }
        for _ in 0..<substreams {
            let isLong = window[next].map { $0 & 0x80 != 0 } ?? false
            guard take(isLong ? 4 : 2) else { return false }
        }
        return (parity >> 4 ^ parity) & 0xF == 0xF
    }
}
