/// Detects when the headers of a sound track's frames change the sample rate or the channels.
///
/// One damaged header is no change: a change counts if two consecutive headers state the same new
/// values.
struct FrameHeaders: Sendable, Equatable {
    private let codec: String
    private var first: [UInt8]?
    private var other: [UInt8]?

    /// - Parameter codec: FFmpeg's codec name. Frames of other codecs than AAC, AC-3, E-AC-3 and
    ///   MPEG audio never change.
    init(_ codec: String) {
        self.codec = codec
    }

    /// Parses the header at the start of a packet; ignores other bytes.
    ///
    /// - Returns: Whether the track has changed.
    mutating func change(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count > 7, let fixed = fixed(bytes) else { return false }
        guard let first, first != fixed else {
            self.first = fixed
            other = nil
            return false
        }
        defer { other = fixed }
        return other == fixed
    }

    /// Returns the bits that a track keeps; nil if no header begins here.
    private func fixed(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        switch codec {
        case "aac": Self.adts(bytes)
        case "ac3", "eac3": Self.dolby(bytes)
        case "mp1", "mp2", "mp3": Self.mpeg(bytes)
        default: nil
        }
    }

    /// - Note: Source: ISO/IEC 14496-3, table 1.A.5.
    private static func adts(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return nil }
        return [bytes[2] & 0xFD, bytes[3] & 0xC0]
    }

    /// Stereo and joint stereo alternate in one track; mono does not.
    ///
    /// - Note: Source: ISO/IEC 11172-3 §2.4.1.3.
    private static func mpeg(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0, bytes[1] & 0x06 != 0 else { return nil }
        let isMono: UInt8 = bytes[3] >> 6 == 3 ? 1 : 0
        return [bytes[1] & 0x1E, bytes[2] & 0x0C, isMono]
    }

    /// Only independent frames count: others add channels to them.
    ///
    /// - Note: Source: ATSC A/52:2018 §5.3 and §E.1.2: the sample rate, the channel mode, and whether a
    ///   low-frequency channel is there.
    private static func dolby(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard bytes[0] == 0x0B, bytes[1] == 0x77 else { return nil }
        let isExtended = bytes[5] >> 3 > 10
        guard isExtended else {
            let mode = bytes[6] >> 5
            // Two bits for each mixing level that the mode needs.
            let levels = [mode & 1 == 1 && mode != 1, mode & 4 != 0, mode == 2].count { $0 }
            let rest = UInt16(bytes[6]) << 8 | UInt16(bytes[7])
            let hasLow = UInt8(rest >> UInt16(12 - 2 * levels) & 1)
            return [bytes[4] & 0xC0, mode, hasLow]
        }
        guard bytes[2] & 0xF8 == 0 else { return nil }
        // The rate 3 stands for half of the rate that the next two bits state.
        let isHalf = bytes[4] & 0xC0 == 0xC0
        return [bytes[4] & (isHalf ? 0xFF : 0xCF)]
    }
}
