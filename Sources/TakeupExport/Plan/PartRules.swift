internal import TakeupFFmpeg
internal import TakeupTimeline

/// Decides whether a track may consist of copied and encoded parts, from its sources' parameter sets.
///
/// H.264 in an `avc1` track may have several parameter sets with different ids, so copied and encoded parts can share
/// one sample description.
///
/// - Note: Source: ISO/IEC 14496-15 §5.3.3.1.
struct PartRules {
    /// Why a track has to be encoded as a whole.
    struct Obstacle: Error, Equatable {
        let text: String

        init(_ text: String) { self.text = text }
    }

    /// Highest number of segments: planning opens each source and reads the packets at its ends.
    private static let mostSegments = 100

    /// Ticks per second of the output's track, in which every time of the sources is exact.
    let timescale: Int64
    let match: EncoderMatch
    let color: ColorDescription

    /// - Parameters:
    ///   - segments: The track's segments, each with a track that meets the preset.
    ///   - assets: The sources.
    ///   - settings: The preset's pictures.
    /// - Throws: `Obstacle`.
    init(
        _ segments: [TrackSegment], _ assets: [InspectedAsset], _ settings: VideoSettings
    ) throws(Obstacle) {
        guard segments.count <= Self.mostSegments else {
            throw Obstacle("it has more than \(Self.mostSegments) pieces to examine")
        }
        let streams = segments.compactMap { segment in
            assets[segment.source].streams.first { $0.index == segment.track }
        }
        guard let first = streams.first, streams.count == segments.count else {
            throw Obstacle("one of the inputs lacks the track")
        }
        guard streams.allSatisfy({ $0.codec == "h264" }) else {
            throw Obstacle("only parts of H.264 tracks are copied")
        }
        let sets = ParameterSets("h264", first.codecHeader).sets
        for stream in streams.dropFirst() {
            let other = ParameterSets("h264", stream.codecHeader).sets
            guard Set(other) == Set(sets), stream.sampleAspect == first.sampleAspect else {
                throw Obstacle("the inputs differ in their codec parameters (h264)")
            }
        }
        timescale = try Self.timescale(streams.map(\.timeBase))
        let sequence = try Self.sequence(sets)
        color = try Self.color(sequence.picture)
        match = try Self.match(sequence, sets, settings)
    }

    private static func timescale(_ bases: [TimeBase]) throws(Obstacle) -> Int64 {
        let scale = Timescale.common(bases.map { Int64($0.denominator) })
        guard
            bases.allSatisfy({ scale * Int64($0.numerator) % Int64($0.denominator) == 0 }),
            scale <= Int64(Int32.max)
        else { throw Obstacle("no clock holds the times of all inputs exactly") }
        return scale
    }

    private static func sequence(_ sets: [[UInt8]]) throws(Obstacle) -> SequenceSet {
        let sequences = sets.filter { $0.first.map { $0 & 0x1F } == 7 }
        guard sequences.count == 1, let sequence = SequenceSet(sequences[0]) else {
            throw Obstacle("it has \(sequences.count) usable sequence parameter sets, not one")
        }
        let pictures = sets.filter { $0.first.map { $0 & 0x1F } == 8 }
        guard !pictures.isEmpty, pictures.allSatisfy({ PictureSet($0)?.sequence == sequence.id })
        else { throw Obstacle("its picture parameter sets are not usable") }
        guard sequence.picture.isProgressive else {
            throw Obstacle("its pictures may be coded as fields")
        }
        guard sequence.picture.chroma == 1, sequence.picture.bitDepths == [8, 8] else {
            throw Obstacle("its pictures are not 4:2:0 with 8 bit")
        }
        return sequence
    }

    private static func color(_ picture: SequenceSet.Picture) throws(Obstacle) -> ColorDescription {
        guard let color = ColorDescription(codes: picture.color) else {
            throw Obstacle("its colour tags are not known")
        }
        guard picture.chromaPlace[0] == picture.chromaPlace[1], picture.chromaPlace[0] == 0 else {
            throw Obstacle("its chroma samples lie in an unusual place")
        }
        return color
    }

    /// Profiles by number and x264's name.
    private static let profiles = [66: "baseline", 77: "main", 100: "high"]

    /// Peak bits per second and buffer size of each level in the Main profile, in 1,000 bits.
    ///
    /// - Note: Source: ITU-T H.264 table A-1.
    private static let limits: [Int: (rate: Int, buffer: Int)] = [
        10: (64, 175), 11: (192, 500), 12: (384, 1_000), 13: (768, 2_000), 20: (2_000, 2_000),
        21: (4_000, 4_000), 22: (4_000, 4_000), 30: (10_000, 10_000), 31: (14_000, 14_000),
        32: (20_000, 20_000), 40: (20_000, 25_000), 41: (50_000, 62_500), 42: (50_000, 62_500),
        50: (135_000, 135_000), 51: (240_000, 240_000), 52: (240_000, 240_000),
        60: (240_000, 240_000), 61: (480_000, 480_000), 62: (800_000, 800_000),
    ]

    private static func match(
        _ sequence: SequenceSet, _ sets: [[UInt8]], _ settings: VideoSettings
    ) throws(Obstacle) -> EncoderMatch {
        let isPlain = sequence.profile != 66 || sequence.constraints & 0x40 != 0
        guard let profile = profiles[sequence.profile], isPlain else {
            throw Obstacle("its H.264 profile \(sequence.profile) is not encoded here")
        }
        // Flag 3 makes level 1.1 of the lower profiles level 1b.
        let isLow = sequence.level == 11 && sequence.constraints & 0x10 != 0
        guard let limit = limits[sequence.level], !isLow else {
            throw Obstacle("its H.264 level \(sequence.level) is not encoded here")
        }
        let used = Set([sequence.id] + sets.compactMap { PictureSet($0)?.id })
        guard let free = (0..<32).first(where: { !used.contains($0) }) else {
            throw Obstacle("its parameter sets use every id")
        }
        let most = min(settings.maxBitRate ?? .max, limit.rate * 1_000)
        let buffer = Double(most) * settings.bufferSeconds
        return EncoderMatch(
            setID: free, profile: profile, level: sequence.level,
            references: max(1, min(sequence.references, Self.mostReferences)),
            maxBitRate: most, bufferBits: Int(min(buffer, Double(limit.buffer) * 1_000)),
            statesAspect: sequence.picture.aspect.numerator > 0)
    }

    /// Enough for parts of a few seconds.
    private static let mostReferences = 3
}

extension SequenceSet {
    /// Profiles whose streams decoders of the later ones accept, too.
    private static let nested = [66, 77, 100]

    /// Compares the set of an encoder with the set of the copied parts.
    ///
    /// - Returns: What a decoder of the copied parts could not accept; nil if there is nothing.
    func difference(from copied: SequenceSet) -> String? {
        guard let own = Self.nested.firstIndex(of: profile),
            let most = Self.nested.firstIndex(of: copied.profile), own <= most
        else { return "profile" }
        if level > copied.level { return "level" }
        if references > max(1, copied.references) { return "reference pictures" }
        if id == copied.id { return "id, which is the same" }
        return picture == copied.picture ? nil : "pictures"
    }
}
