internal import TakeupFFmpeg

/// Recognises the beginning of media that is unfinished or truncated, as opposed to files that
/// never become media.
enum UnfinishedHead {
    private static let headBytes = 4096
    /// - Note: Source: RFC 8794 §8.1, the EBML header's identifier.
    private static let matroska: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
    /// Highest number of boxes to follow before a movie counts as damaged.
    private static let mostBoxes = 10_000
    /// Box types that may begin a movie: ftyp, mdat, moov.
    private static let firstTypes: Set<Int64> = [0x6674_7970, 0x6D64_6174, 0x6D6F_6F76]
    /// Padding box types that may come before these: wide, free, skip.
    private static let roomTypes: Set<Int64> = [0x7769_6465, 0x6672_6565, 0x736B_6970]
    /// Size limit of a padding box, in bytes; a larger one is more likely a word in a text.
    private static let mostRoom: Int64 = 1 << 20

    /// - Returns: Why the file is not media yet; nil if it does not look like media.
    static func reason(_ source: any ByteSource) -> String? {
        guard let window = ByteWindow(source) else { return nil }
        if window.size == 0 { return "the file is empty" }
        let head = (0..<min(window.size, Int64(headBytes))).compactMap { window[$0] }
        if !head.isEmpty, head.allSatisfy({ $0 == 0 }) {
            return "the file begins with zeros: nothing is written there yet"
        }
        if let end = ContainerExtent.declaredEnd(window), end > window.size {
            return "the container declares \(end) bytes, the file has \(window.size)"
        }
        if head.starts(with: matroska), window.size <= headBytes {
            return "the file ends within its header"
        }
        return movie(window)
    }

    /// Follows a movie's boxes to the expected place of its index.
    ///
    /// - Note: Source: ISO/IEC 14496-12 §4.2; a size of 0 reaches to the end, which writers put
    ///   until they know it.
    private static func movie(_ window: ByteWindow) -> String? {
        guard let first = window.number(at: 4, bytes: 4),
            let length = window.number(at: 0, bytes: 4),
            firstTypes.contains(first) || roomTypes.contains(first) && length <= mostRoom
        else { return nil }
        let missing = "its index (the moov box) is not there: the file ends before it"
        var place: Int64 = 0
        for _ in 0..<mostBoxes {
            guard let short = window.number(at: place, bytes: 4),
                let type = window.number(at: place + 4, bytes: 4)
            else { return missing }
            if type == 0x6D6F_6F76 || type == 0x6D6F_6F66 {
                return isCut(place, short, window) ? "its index (the moov box) is cut off" : nil
            }
            let size = short == 1 ? window.number(at: place + 8, bytes: 8) : short
            guard let size, size > 0 else { return missing }
            let (end, overflow) = place.addingReportingOverflow(size)
            guard size >= 8 else { return nil }
            if overflow || end >= window.size { return missing }
            place = end
        }
        return nil
    }

    private static func isCut(_ place: Int64, _ size: Int64, _ window: ByteWindow) -> Bool {
        size > 1 && place + size > window.size
    }
}
