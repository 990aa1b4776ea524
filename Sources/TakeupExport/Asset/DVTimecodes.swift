internal import TakeupTimeline

/// Finds where the timecode of raw DV jumps ahead, as where whole frames are missing.
///
/// A tape may also have been stopped there, so a jump proves nothing.
struct DVTimecodes {
    /// The jumps of a source.
    struct Jumps: Equatable {
        var places = 0
        var skipped = MediaTime.zero
    }

    private let window: ByteWindow

    init(_ window: ByteWindow) {
        self.window = window
    }

    func jumps() -> Jumps {
        var jumps = Jumps()
        var place: Int64 = 0
        var last: Int64?
        while place < window.size, let frame = RawFrames.digitalVideo(window, place) {
            let number = number(at: place, rate: frame.length.value == 1 ? 25 : 30)
            if let last, let number, number > last + 1 {
                jumps.places += 1
                jumps.skipped =
                    jumps.skipped
                    + MediaTime(
                        value: (number - last - 1) * frame.length.value,
                        timescale: frame.length.timescale)
            }
            last = number
            place += frame.bytes
        }
        return jumps
    }

    /// Returns the number of a frame by the timecode in its first subcodes.
    ///
    /// - Note: Source: IEC 61834-2 §9 and 61834-4: packs of type 0x13, in six parts of eight bytes each.
    private func number(at place: Int64, rate: Int64) -> Int64? {
        for part in 0..<6 {
            let pack = place + 80 + 3 + Int64(part) * 8 + 3
            guard window[pack] == 0x13 else { continue }
            let fields = zip([0x3F, 0x7F, 0x7F, 0x3F] as [UInt8], 1...4).compactMap {
                (mask, offset) in window[pack + offset].flatMap { decimal($0 & mask) }
            }
            guard fields.count == 4, fields[0] < rate, fields[1] < 60, fields[2] < 60,
                fields[3] < 24, let flags = window[pack + 1]
            else { return nil }
            let minutes = fields[3] * 60 + fields[2]
            let number = (minutes * 60 + fields[1]) * rate + fields[0]
            let drops = rate == 30 && flags & 0x40 != 0
            return drops ? number - 2 * (minutes - minutes / 10) : number
        }
        return nil
    }

    private func decimal(_ byte: UInt8) -> Int64? {
        byte & 0xF < 10 && byte >> 4 < 10 ? Int64(byte >> 4) * 10 + Int64(byte & 0xF) : nil
    }
}
