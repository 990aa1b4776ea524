internal import TakeupFFmpeg
internal import TakeupTimeline

/// Checks that a copied track's decoder parameters still match the output's single sample
/// description.
///
/// For sound that must not have gaps, it checks the continuity too.
struct ParameterWatch: Sendable, Equatable {
    /// Number of remembered parameter sets; further sets are not remembered and always count as
    /// new.
    private static let mostSets = 256

    private let codec: String
    /// Size of the length before each unit, in bytes; 0 for start codes.
    private let lengthBytes: Int
    private var known: Set<[UInt8]>
    private var configuration: [UInt8]
    private var headers: FrameHeaders

    /// Why the copy is wrong; nil if no fault was found.
    private(set) var fault: String?
    /// Whether parameter sets appeared that the description lacks.
    ///
    /// A decoder that reads sets inside the packets can still show everything; only decoding proves
    /// it.
    private(set) var needsProof = false

    /// The continuity check for sound that must not have gaps; nil for other tracks.
    private var continuity: SoundContinuity?

    /// - Parameters:
    ///   - codec: FFmpeg's codec name.
    ///   - extradata: The bytes from which the sample description is made.
    ///   - mustBeContinuous: Whether the track is sound that must not have gaps.
    init(_ codec: String, _ extradata: [UInt8], mustBeContinuous: Bool = false) {
        self.codec = codec
        headers = FrameHeaders(codec)
        continuity = mustBeContinuous ? SoundContinuity() : nil
        configuration = extradata
        let description = ParameterSets(codec, extradata)
        known = Set(description.sets)
        lengthBytes = description.lengthBytes
    }

    /// Checks one packet for the output, with its presentation span in the output.
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
        case "aac": if configuration.isEmpty { packet.withBytes { noteHeader($0) } }
        default: packet.withBytes { noteHeader($0) }
        }
    }

    private mutating func note(_ set: [UInt8]) {
        guard !known.contains(set) else { return }
        // A stream without a description is described by its first parameter sets.
        if !configuration.isEmpty { needsProof = true }
        if known.count < Self.mostSets { known.insert(set) }
    }

    private mutating func noteHeader(_ bytes: UnsafeBufferPointer<UInt8>) {
        if headers.change(in: bytes) {
            fault =
                "its sample rate or channels change midway, and MP4 describes a track only once"
        }
    }
}
