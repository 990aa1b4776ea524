internal import TakeupTimeline

/// Facts in a file that prove its media complete, although zeros follow.
enum EndProof: Equatable {
    /// The duration that a FLAC header declares.
    case length(MediaTime)
    /// The number of MP3 frames, without the header frame that states the number.
    case frames(Int)
    /// The end marker of a JPEG lies directly before the zeros.
    case picture

    /// - Returns: nil if there are no zeros or no proof.
    static func find(
        _ window: ByteWindow, _ container: String, _ fault: ContainerWalk.Fault?
    ) -> EndProof? {
        guard case .unreadable(let parts, _, _)? = fault, let zeros = parts.last?.lowerBound
        else { return nil }
        let start = UnwrittenParts.media(window).start
        switch container {
        case "flac": return length(window, start).map(EndProof.length)
        case "mp3": return frames(window, start).map(EndProof.frames)
        case "mjpeg", "jpeg_pipe": return window.has([0xFF, 0xD9], at: zeros - 2) ? .picture : nil
        default: return nil
        }
    }

    /// - Note: Source: RFC 9639 §8.2: 20 bits of the sample rate, 8 of the format, 36 of the count.
    private static func length(_ window: ByteWindow, _ start: Int64) -> MediaTime? {
        guard window.has(Array("fLaC".utf8), at: start),
            let rate = window.number(at: start + 18, bytes: 3).map({ $0 >> 4 }), rate > 0,
            let low = window.number(at: start + 21, bytes: 5), low & 0xF_FFFF_FFFF > 0
        else { return nil }
        return MediaTime(value: low & 0xF_FFFF_FFFF, timescale: rate)
    }

    /// Returns the number of frames that an MP3's first one states, without itself.
    ///
    /// - Note: Source: ISO/IEC 11172-3 §2.4.1.7: behind the header of four bytes so many that tell of the sound; LAME's
    ///   `Xing` and `Info` tag: flags, of which the first says that the count of frames follows.
    static func frames(_ window: ByteWindow, _ start: Int64) -> Int? {
        guard let version = window[start + 1], let mode = window[start + 3] else { return nil }
        let (isOld, isMono) = (version & 0x18 == 0x18, mode >> 6 == 3)
        let tag = start + 4 + (isOld ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
        guard ["Xing", "Info"].contains(where: { window.has(Array($0.utf8), at: tag) }),
            let flags = window[tag + 7], flags & 1 != 0
        else { return nil }
        return window.number(at: tag + 8, bytes: 4).map(Int.init)
    }
}
