internal import TakeupFFmpeg
internal import TakeupTimeline

/// Reads a stretch of one stream of a finished file, and decodes it roughly: its pictures are counted, not looked at.
struct StreamEnd {
    /// Pictures larger than this are decoded by several threads.
    private static let large = 1920 * 1088

    /// Packets that are read behind the first one that is shown: coders reorder no more than 16.
    private static let reorder = 16

    /// Longer than any picture is shown after it is decoded.
    private static let longestReorder = MediaTime(seconds: Int64(60))

    /// What a stretch holds; times are ticks.
    struct Found {
        var first: Int64?
        var last: Int64?
        /// Of what no edit list hides.
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

    /// Reads the packets at some places of the index, of which the first is a key packet.
    ///
    /// Faults and pictures count from `first` on: what is before is decoded for its sake. Where an edit list hides
    /// all of it, reading goes on, without decoding, to the first pictures that are shown.
    ///
    /// - Throws: `FFmpegError` when the file cannot be read.
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

    /// Whether more is read: behind the first packet that is shown may come one that is shown sooner.
    private func isWithin(_ places: Range<Int>, _ place: Int?, _ firstShown: Int?) -> Bool {
        guard let place, let firstShown else { return true }
        return place < max(places.upperBound, firstShown + Self.reorder)
    }

    /// By when a search finds a key packet: just before the next one is decoded, as a demuxer passes over a key packet
    /// that is shown later than that.
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

    /// Where a search has led: to the key packet that was wanted, or to one before it.
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
