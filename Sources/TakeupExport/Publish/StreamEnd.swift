internal import TakeupFFmpeg
internal import TakeupTimeline

/// Reads a stretch of one stream of a finished file, and decodes it roughly to count its pictures.
struct StreamEnd {
    /// Number of pixels above which several threads decode the pictures.
    private static let large = 1920 * 1088

    /// Number of packets to read after the first shown one; encoders reorder at most 16.
    private static let reorder = 16

    /// Upper limit of the delay between a picture's decoding and its presentation.
    private static let longestReorder = MediaTime(seconds: Int64(60))

    /// The content of a stretch; times are in ticks.
    struct Found {
        var first: Int64?
        var last: Int64?
        /// Earliest and latest time of the packets that no edit list hides.
        var firstShown: Int64?
        var lastShown: Int64?
        var problem: String?
    }

    private let stream: StreamDescription
    private let demuxer: Demuxer
    private let decodes: Bool

    init(_ stream: StreamDescription, _ demuxer: Demuxer, decodes: Bool) {
        self.stream = stream
        self.demuxer = demuxer
        self.decodes = decodes
    }

    /// Reads the packets at some index positions; the first must be a keyframe.
    ///
    /// Faults and pictures count from `first` on; earlier packets only prepare the decoder. If an
    /// edit list hides all packets, reading continues without decoding up to the first shown
    /// pictures.
    ///
    /// - Throws: `FFmpegError` if the file cannot be read.
    func read(
        _ places: Range<Int>, countingFrom first: Int, decodes isWanted: Bool = true
    ) throws(FFmpegError) -> Found {
        var found = Found()
        guard let ticks = searchTicks(for: places.lowerBound) else { return found }
        demuxer.select([stream.index])
        try demuxer.seek(stream: stream.index, toTicks: ticks)
        var pass: DecodingPass?
        if decodes, isWanted {
            do throws(FFmpegError) {
                pass = try DecodingPass(makeDecoder(), stream)
            } catch {
                found.problem = "cannot be decoded: \(error.status)"
            }
        }
        let packet = try Packet()
        var place: Int?
        var firstShown: Int?
        while isWithin(places, place, firstShown), try demuxer.read(into: packet) {
            guard packet.streamIndex == stream.index else { continue }
            let here = place ?? landing(packet, before: places.lowerBound)
            place = here + 1
            found.take(packet)
            if found.firstShown != nil { firstShown = firstShown ?? here }
            guard here < places.upperBound else { continue }
            if here == first { pass?.startCounting(packet) }
            try pass?.feed(packet)
        }
        if let problem = try pass?.end() { found.problem = problem }
        return found
    }

    /// Returns whether to read more: a packet after the first shown one may be shown earlier.
    private func isWithin(_ places: Range<Int>, _ place: Int?, _ firstShown: Int?) -> Bool {
        guard let place, let firstShown else { return true }
        return place < max(places.upperBound, firstShown + Self.reorder)
    }

    /// Returns the seek target that finds a keyframe, in ticks: just before the decoding time of
    /// the next keyframe.
    ///
    /// With a smaller target, a demuxer could skip a keyframe that is shown later.
    private func searchTicks(for place: Int) -> Int64? {
        let count = demuxer.indexCount(of: stream.index)
        guard place < count, let last = demuxer.indexEntry(count - 1, of: stream.index) else {
            return nil
        }
        let next = (place + 1..<count).lazy.compactMap {
            demuxer.indexEntry($0, of: stream.index)
        }.first(where: \.isKey)
        let behind = stream.timeBase.ticks(Self.longestReorder)
        return next.map { $0.dtsTicks - 1 } ?? last.dtsTicks.addingClamped(behind)
    }

    /// Returns the position that a seek reached: the wanted keyframe or an earlier one.
    private func landing(_ packet: borrowing Packet, before place: Int) -> Int {
        guard let position = packet.position else { return place }
        for place in stride(from: place, through: 0, by: -1)
        where demuxer.indexEntry(place, of: stream.index)?.position == position {
            return place
        }
        return place
    }

    private func makeDecoder() throws(FFmpegError) -> Decoder {
        let isLarge = stream.width * stream.height > Self.large
        var settings = Decoder.Settings(threads: isLarge ? 0 : 1)
        settings.isRough = true
        return try Decoder(
            demuxer.parameters(of: stream.index), timeBase: stream.timeBase, settings: settings)
    }
}

extension StreamEnd.Found {
    fileprivate mutating func take(_ packet: borrowing Packet) {
        guard let ticks = packet.ptsTicks ?? packet.dtsTicks else { return }
        first = min(first ?? ticks, ticks)
        last = max(last ?? ticks, ticks)
        guard !packet.isDiscarded else { return }
        firstShown = min(firstShown ?? ticks, ticks)
        lastShown = max(lastShown ?? ticks, ticks)
    }
}
