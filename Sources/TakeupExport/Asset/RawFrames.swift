internal import TakeupTimeline

/// Walks raw sound, or raw DV, from frame to frame; each frame states its length, and the next one follows
/// directly.
///
/// Bytes outside of frames, and frames with another end than stated, are damage. Exceptions are
/// tags, the bytes before the first frame and few bytes after the last one.
struct RawFrames {
    /// The length of one frame, from its header.
    struct Head: Equatable {
        let bytes: Int64
        let length: MediaTime
    }

    /// Number of consecutive frames that prove a resumed chain, because the sync word may occur in
    /// any sound.
    private static let proof = 3

    /// Highest number of tags to skip between two frames, so that no file makes the walk long.
    private static let mostTags = 16

    private let window: ByteWindow
    private let isMPEG: Bool
    private let head: (ByteWindow, Int64) -> Head?
    /// Returns whether a chain of frames may begin at an offset.
    private var mayBegin: (ByteWindow, Int64) -> Bool = { _, _ in true }

    /// Fails for all other containers.
    init?(_ window: ByteWindow, _ container: String) {
        switch container {
        case "aac": head = Self.adts
        case "ac3", "eac3": head = Self.dolby
        case "mp3": head = Self.mpeg
        case "dts": head = Self.dts
        case "dv": head = Self.digitalVideo
        case "mlp", "truehd":
            head = MeridianUnits().head
            mayBegin = MeridianUnits.hasSync
        default: return nil
        }
        self.window = window
        isMPEG = container == "mp3"
    }

    /// - Returns: The first break of the chain and the lost duration of all breaks; nil if the
    ///   chain is intact.
    func fault() -> ContainerWalk.Fault? {
        let (start, end) = UnwrittenParts.media(window)
        guard var place = chain(from: start, end) else { return nil }
        let stated = isMPEG ? EndProof.frames(window, place) : nil
        // The frame that states the number of the others.
        var frames = -1
        var first: Int64?
        var missing = MediaTime.zero
        while place < end, let frame = head(window, place) {
            frames += 1
            let next = afterTags(place + frame.bytes, end)
            if next >= end || head(window, next) != nil {
                place = next
                continue
            }
            let again = chain(from: place + 1, end) ?? end
            // A shorter end may be a writer's addition, as may be all behind the stated frames.
            let isWhole = stated.map { $0 > 0 && frames >= $0 } ?? false
            if again == end, isWhole || end - next < UnwrittenParts.padding(window) { break }
            first = first ?? next
            let lost = max(1, ((again - place) + frame.bytes / 2) / frame.bytes)
            for _ in 0..<min(lost, 100_000) { missing = missing + frame.length }
            place = again
        }
        return first.map { .broken(at: $0, missing: missing) }
    }

    /// Returns the next offset from which frames follow one another; nil if there is none.
    private func chain(from start: Int64, _ end: Int64) -> Int64? {
        var place = start
        while place < end, window.failure == nil {
            if mayBegin(window, place), isChain(place, end) { return place }
            place += 1
        }
        return nil
    }

    private func isChain(_ start: Int64, _ end: Int64) -> Bool {
        var place = start
        for _ in 0..<Self.proof {
            guard let frame = head(window, place) else { return false }
            place = afterTags(place + frame.bytes, end)
            if place == end { return true }
        }
        return true
    }

    /// Skips tags between frames, which occur in concatenated files.
    ///
    /// A frame without a sync word may begin like a tag.
    private func afterTags(_ start: Int64, _ end: Int64) -> Int64 {
        var place = start
        for _ in 0..<Self.mostTags where place < end && head(window, place) == nil {
            if let next = UnwrittenParts.tagEnd(window, at: place) {
                place = next
            } else if window.has(Array("TAG".utf8), at: place) {
                place += 128
            } else if window.has(Array("APETAGEX".utf8), at: place),
                let length = window.littleEndian(at: place + 12, bytes: 4)
            {
                place += 32 + length
            } else {
                break
            }
        }
        return place
    }

    private static let aacRates: [Int64] = [
        96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
    ]

    /// - Note: Source: ISO/IEC 14496-3, tables 1.A.5 to 1.A.7.
    private static func adts(_ window: ByteWindow, _ place: Int64) -> Head? {
        guard window[place] == 0xFF, let second = window[place + 1], second & 0xF6 == 0xF0,
            let third = window[place + 2], let rate = aacRates.at(Int(third >> 2 & 0xF)),
            let length = window.number(at: place + 3, bytes: 3), let last = window[place + 6]
        else { return nil }
        let bytes = length >> 5 & 0x1FFF
        guard bytes > 7 else { return nil }
        let blocks = Int64(last & 3) + 1
        return Head(bytes: bytes, length: MediaTime(value: 1024 * blocks, timescale: rate))
    }

    private static let dolbyRates: [Int64] = [48000, 44100, 32000]
    private static let dolbyBitRates: [Int64] = [
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ]

    /// - Note: Source: ETSI TS 102 366, table 4.13 (AC-3) and annex E (E-AC-3).
    private static func dolby(_ window: ByteWindow, _ place: Int64) -> Head? {
        guard window[place] == 0x0B, window[place + 1] == 0x77,
            let high = window[place + 2], let low = window[place + 3],
            let format = window[place + 4], let kind = window[place + 5]
        else { return nil }
        if kind >> 3 <= 10 {
            let size = Int(format & 0x3F)
            guard let rate = dolbyRates.at(Int(format >> 6)),
                let bits = dolbyBitRates.at(size / 2)
            else { return nil }
            // At 44.1 kHz, every other frame is one word longer.
            let extra = rate == 44100 ? Int64(size & 1) : 0
            let words = bits * 1000 * 1536 / rate / 16 + extra
            return Head(bytes: words * 2, length: MediaTime(value: 1536, timescale: rate))
        }
        guard kind >> 3 <= 16 else { return nil }
        let words = (Int64(high & 7) << 8 | Int64(low)) + 1
        let rate: Int64?
        var blocks: Int64 = 6
        if format >> 6 == 3 {
            rate = dolbyRates.at(Int(format >> 4 & 3)).map { $0 / 2 }
        } else {
            rate = dolbyRates.at(Int(format >> 6))
            blocks = [1, 2, 3, 6][Int(format >> 4 & 3)]
        }
        guard let rate, words > 2 else { return nil }
        // A dependent stream adds no duration to its main stream.
        let isDependent = high >> 6 == 1
        return Head(
            bytes: words * 2,
            length: MediaTime(value: isDependent ? 0 : 256 * blocks, timescale: rate))
    }

    private static let dtsRates: [Int64] = [
        0, 8000, 16000, 32000, 0, 0, 11025, 22050, 44100, 0, 0, 12000, 24000, 48000, 96000, 192000,
    ]

    /// Reads a core frame in 16-bit big-endian words, or the extension that follows one; other forms are not walked.
    ///
    /// - Note: Source: ETSI TS 102 114 §5.3.1 and §7.4.1.
    private static func dts(_ window: ByteWindow, _ place: Int64) -> Head? {
        guard let sync = window.number(at: place, bytes: 4),
            let bits = window.number(at: place + 4, bytes: 6)
        else { return nil }
        if sync == 0x6458_2025 {
            // User bits (8), index (2), and which widths the sizes have (1).
            let isLong = bits >> 37 & 1 == 1
            let size = isLong ? bits >> 5 & 0xF_FFFF : bits >> 13 & 0xFFFF
            return Head(bytes: size + 1, length: .zero)
        }
        guard sync == 0x7FFE_8001, let rate = dtsRates.at(Int(bits >> 10 & 0xF)), rate > 0 else {
            return nil
        }
        let blocks = (bits >> 34 & 0x7F) + 1
        let bytes = (bits >> 20 & 0x3FFF) + 1
        guard bytes > 95, blocks > 5 else { return nil }
        return Head(bytes: bytes, length: MediaTime(value: 32 * blocks, timescale: rate))
    }

    /// Reads the header of a frame's first DIF block.
    ///
    /// DVCPRO50 and DVCPRO HD have two or four times the bytes: the next header tells.
    /// - Note: Source: IEC 61834-2 §11.4.
    static func digitalVideo(_ window: ByteWindow, _ place: Int64) -> Head? {
        guard let isWide = startsFrame(window, place) else { return nil }
        let length =
            isWide
            ? MediaTime(value: 1, timescale: 25) : MediaTime(value: 1001, timescale: 30_000)
        let base: Int64 = isWide ? 144_000 : 120_000
        for factor in [Int64(1), 2, 4] {
            let next = place + base * factor
            if next >= window.size || startsFrame(window, next) != nil {
                return Head(bytes: base * factor, length: length)
            }
        }
        return nil
    }

    /// - Returns: Whether the frame has 625 lines; nil where no frame starts.
    private static func startsFrame(_ window: ByteWindow, _ place: Int64) -> Bool? {
        guard window[place].map({ $0 >> 5 }) == 0, window[place + 1].map({ $0 >> 4 }) == 0,
            window[place + 2] == 0, let format = window[place + 3],
            // The next two blocks carry subcodes.
            window[place + 80].map({ $0 >> 5 }) == 1, window[place + 160].map({ $0 >> 5 }) == 1
        else { return nil }
        return format & 0x80 != 0
    }

    /// Bit rates in kilobits per second, by layer: first of MPEG-1, then of MPEG-2.
    private static let mpegBitRates: [[[Int64]]] = [
        [
            [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
            [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
            [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        ],
        [
            [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
            [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
            [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
        ],
    ]
    private static let mpegRates: [Int64] = [44100, 48000, 32000]

    /// - Note: Source: ISO/IEC 11172-3 §2.4.1.3 and 13818-3 §2.4.2.3; MPEG 2.5 halves the rates once more.
    private static func mpeg(_ window: ByteWindow, _ place: Int64) -> Head? {
        guard window[place] == 0xFF, let second = window[place + 1], second & 0xE0 == 0xE0,
            let third = window[place + 2], window[place + 3] != nil
        else { return nil }
        let (version, layer) = (second >> 3 & 3, 4 - Int(second >> 1 & 3))
        guard version != 1, layer < 4, let full = mpegRates.at(Int(third >> 2 & 3)) else {
            return nil
        }
        let isOld = version == 3
        let rate = isOld ? full : version == 2 ? full / 2 : full / 4
        guard let bits = mpegBitRates[isOld ? 0 : 1][layer - 1].at(Int(third >> 4)), bits > 0
        else { return nil }
        let padding = Int64(third >> 1 & 1)
        let samples: Int64 = layer == 1 ? 384 : layer == 3 && !isOld ? 576 : 1152
        let bytes =
            layer == 1
            ? (12000 * bits / rate + padding) * 4 : samples / 8 * 1000 * bits / rate + padding
        return Head(bytes: bytes, length: MediaTime(value: samples, timescale: rate))
    }
}

extension Array {
    /// The element at an index; nil beyond the end.
    fileprivate func at(_ place: Int) -> Element? { place < count ? self[place] : nil }
}
