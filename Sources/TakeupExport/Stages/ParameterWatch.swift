internal import TakeupFFmpeg
internal import TakeupTimeline

/// Watches whether what a copied track's decoder must know stays what the output's one sample description says,
/// and whether sound has no gaps where a copy must have none.
struct ParameterWatch: Sendable, Equatable {
    /// Parameter sets that are kept apart; more are not remembered, so that they count as new.
    private static let mostSets = 256

    private let codec: String
    /// Bytes of the length before each unit; 0 where start codes stand between them.
    private let lengthBytes: Int
    private var known: Set<[UInt8]>
    private var configuration: [UInt8]
    private var headers = ADTSHeaders()

    /// Why the copy cannot be right; nil when nothing speaks against it.
    private(set) var fault: String?
    /// Whether parameter sets came that the description lacks: a decoder that reads them inside the packets
    /// can still show all, which only decoding proves.
    private(set) var needsProof = false

    /// Of sound that must have no gaps; nil for other tracks.
    private var continuity: SoundContinuity?

    /// - Parameters:
    ///   - codec: FFmpeg's name.
    ///   - extradata: What the sample description is made from.
    ///   - mustBeContinuous: Whether it is sound that must have no gaps.
    init(_ codec: String, _ extradata: [UInt8], mustBeContinuous: Bool = false) {
        self.codec = codec
        continuity = mustBeContinuous ? SoundContinuity() : nil
        configuration = extradata
        let description = ParameterSets(codec, extradata)
        known = Set(description.sets)
        lengthBytes = description.lengthBytes
    }

    /// Takes in one packet that goes into the output, and when it is heard there.
    mutating func look(_ packet: borrowing Packet, from start: MediaTime, to end: MediaTime) {
        guard fault == nil else { return }
        continuity?.add(from: start, to: end)
        if continuity?.isKept == false { fault = SoundContinuity.reason }
        if let other = packet.newExtradata, other != configuration {
            if configuration.isEmpty {
                configuration = other
            } else {
                fault = SampleEntries.reason
            }
        }
        switch codec {
        case "h264", "hevc":
            for set in packet.withBytes({ ParameterSets.inside($0, codec, lengthBytes) }) {
                note(set)
            }
        case "aac": packet.withBytes { noteHeader($0) }
        default: break
        }
    }

    private mutating func note(_ set: [UInt8]) {
        guard !known.contains(set) else { return }
        // A stream without a description is described by the first sets that come.
        if !configuration.isEmpty { needsProof = true }
        if known.count < Self.mostSets { known.insert(set) }
    }

    private mutating func noteHeader(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard configuration.isEmpty else { return }
        if headers.change(in: bytes) {
            fault =
                "its sample rate or channels change midway, and MP4 gets one description of them"
        }
    }
}

/// Tells whether the ADTS headers of a track change to another profile, sample rate or number of channels.
///
/// One damaged header is no change: a change counts when two headers in a row say the same other thing.
///
/// - Note: Source: ISO/IEC 14496-3, table 1.A.5.
struct ADTSHeaders: Sendable, Equatable {
    private var first: [UInt8]?
    private var other: [UInt8]?

    /// Reads the header at the start of a packet; what is no header is passed over.
    ///
    /// - Returns: Whether the track has changed.
    mutating func change(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count > 7, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return false }
        let fixed = [bytes[2] & 0xFD, bytes[3] & 0xC0]
        guard let first, first != fixed else {
            self.first = fixed
            other = nil
            return false
        }
        defer { other = fixed }
        return other == fixed
    }
}
