internal import TakeupTimeline

/// How much sound before a copied cut a decoder must have heard, so that the first block of the cut is right.
///
/// An edit list hides it.
enum SoundLead {
    /// - Note: Source: RFC 7845 §4.6: 80 ms for Opus. ISO 11172-3 §2.4.2.7: a block of MP3 may begin 511 bytes back,
    ///   9 blocks at 32 kb/s and 44.1 kHz. Other lossy codecs overlap two blocks.
    static func time(_ codec: String) -> MediaTime {
        switch codec {
        case "flac", "alac": .zero
        case "mp3": MediaTime(value: 3, timescale: 10)
        case "opus": MediaTime(value: 8, timescale: 100)
        default: MediaTime(value: 5, timescale: 100)
        }
    }
}
