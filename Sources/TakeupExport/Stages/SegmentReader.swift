internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Reads the packets of one track's segment, on the source's continuous clock.
///
/// The reader starts at the source's start, unless `enter(noLaterThan:)` moves it to a later place.
final class SegmentReader {
    /// How far before the target the first search begins; each next search begins twice as far
    /// back.
    private static let firstLead = MediaTime(value: 1, timescale: 4)
    /// Longest delay between decoding and presentation of a keyframe, if the source states none.
    private static let reorder = MediaTime(seconds: Int64(1))

    /// Rounding tolerance of times: a packet this much too late still counts as early enough.
    ///
    /// For a coarse clock, half a tick is used instead if longer.
    private static let slack = MediaTime(value: 1, timescale: 2000)

    let stream: StreamDescription
    let segment: TrackSegment
    private let source: OpenedSource
    let asset: InspectedAsset
    private let cancellation: Cancellation
    private var demuxer: Demuxer
    private var isAtStart = true
    private var ordinal = 0
    /// The packet that a search found; returned next.
    private var found: Packet?
    private(set) var tally = TrackTally()
    /// Presentation time of the packet at which reading began; nil at the source's start.
    private(set) var entry: MediaTime?
    /// Whether `entry` is a decoding time, because the source has no presentation time.
    private(set) var isEntryVague = false

    /// Opens the source again.
    ///
    /// - Throws: `FFmpegError` with `.open` or `.findStreams`.
    init(
        _ source: OpenedSource, _ asset: InspectedAsset, _ segment: TrackSegment, track: Int,
        cancellation: Cancellation
    ) throws(FFmpegError) {
        demuxer = try source.demuxer(
            forStream: track, keepingOthers: !asset.timeline.isStraight, cancellation)
        guard let stream = demuxer.streams.first(where: { $0.index == track }) else {
            throw FFmpegError(
                .findStreams, status: .invalidData, subject: "stream \(track) of \(source.name)")
        }
        self.stream = stream
        self.segment = segment
        self.source = source
        self.asset = asset
        self.cancellation = cancellation
    }

    func parameters() throws(FFmpegError) -> CodecParameters {
        try demuxer.parameters(of: stream.index)
    }

    /// Seeks to the last keyframe that is presented no later than a time.
    ///
    /// Containers without an index can only seek by time. The search for a keyframe then begins
    /// further and further back, finally at the source's start. The search reads packets and
    /// decodes none.
    ///
    /// - Parameter latest: Time on the source's continuous clock.
    /// - Returns: `false` if no keyframe is early enough; reading then begins at the source's
    ///   start.
    /// - Throws: `FFmpegError` if the source cannot be opened or read.
    func enter(noLaterThan latest: MediaTime) throws(FFmpegError) -> Bool {
        let start = asset.description.startTime
        guard !asset.lacksTimestamps, latest > start else {
            _ = try move(to: nil)
            return false
        }
        var lead = Self.firstLead
        while asset.isSeekable, latest - lead > start {
            if try enter(noLaterThan: latest, from: latest - lead) { return true }
            lead = lead + lead
        }
        if try enter(noLaterThan: latest, from: nil) { return true }
        _ = try move(to: nil)
        return false
    }

    private func enter(
        noLaterThan latest: MediaTime, from place: MediaTime?
    ) throws(FFmpegError) -> Bool {
        guard let wanted = try search(latest, from: place), try move(to: place) else {
            return false
        }
        let last = stream.timeBase.ticks(latest + Self.reorder)
        var packet = try Packet()
        while try readNext(packet), (packet.dtsTicks ?? packet.ptsTicks ?? .min) <= last {
            guard packet.isKey, (packet.ptsTicks ?? packet.dtsTicks) == wanted.ticks else {
                continue
            }
            found = consume packet
            entry = stream.timeBase.time(wanted.ticks)
            isEntryVague = !wanted.isPresentation
            tally = TrackTally()
            return true
        }
        packet = try Packet()
        return false
    }

    /// - Returns: The last keyframe that is early enough.
    private func search(
        _ latest: MediaTime, from place: MediaTime?
    ) throws(FFmpegError) -> EntryFinder.Entry? {
        guard try move(to: place) else { return nil }
        // In a byte stream, missing times are guessed from the place where reading began.
        let isWhole = place == nil || !asset.landsWithinPackets
        let reorder = stream.kind == .video ? stream.timeBase.ticks(Self.reorder) : 0
        let halfTick = MediaTime(
            value: Int64(stream.timeBase.numerator),
            timescale: 2 * Int64(stream.timeBase.denominator))
        var finder = EntryFinder(
            latest: stream.timeBase.lastTick(noLaterThan: latest + min(Self.slack, halfTick)),
            reorder: isWhole ? reorder : nil,
            trustsFirst: isWhole)
        let packet = try Packet()
        while try readNext(packet),
            finder.take(pts: packet.ptsTicks, dts: packet.dtsTicks, isKey: packet.isKey)
        {}
        return finder.entry
    }

    /// - Parameter place: Time of the target; nil for the source's start.
    /// - Returns: `false` if the container cannot seek there.
    /// - Throws: `FFmpegError` if the source cannot be opened again.
    private func move(to place: MediaTime?) throws(FFmpegError) -> Bool {
        found = nil
        entry = nil
        isEntryVague = false
        ordinal = 0
        tally = TrackTally()
        if let place {
            isAtStart = false
            do throws(FFmpegError) {
                try demuxer.seek(stream: stream.index, toTicks: stream.timeBase.ticks(place))
            } catch {
                if error.status == .interrupted { throw error }
                return false
            }
        } else if !isAtStart {
            demuxer = try source.demuxer(
                forStream: stream.index, keepingOthers: !asset.timeline.isStraight, cancellation)
            isAtStart = true
        }
        return true
    }

    /// Reads the track's next packet, with its times on the continuous clock.
    ///
    /// A failed read ends the track and is recorded, so that earlier packets can be salvaged.
    ///
    /// - Returns: `false` at the end.
    func next(_ packet: borrowing Packet) throws(FFmpegError) -> Bool {
        if let first = found.take() {
            packet.take(from: first)
        } else if try !readNext(packet) {
            return false
        }
        tally.packets += 1
        if packet.isDiscarded || packet.byteCount == 0 { tally.hiddenPackets += 1 }
        if packet.isCorrupt { tally.corruptPackets += 1 }
        return true
    }

    private func readNext(_ packet: borrowing Packet) throws(FFmpegError) -> Bool {
        isAtStart = false
        while true {
            do throws(FFmpegError) {
                guard try demuxer.read(into: packet) else { return false }
            } catch {
                if error.status == .interrupted || error.operation == .allocate { throw error }
                tally.readFailure = "\(error.status)"
                return false
            }
            guard packet.streamIndex == stream.index else { continue }
            if !asset.timeline.isStraight {
                let offset = asset.timeline.offset(stream: stream.index, ordinal: ordinal)
                packet.shift(byTicks: stream.timeBase.ticks(offset))
            }
            ordinal += 1
            return true
        }
    }
}
