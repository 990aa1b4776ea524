internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Reads a source's packets to the end without decoding them.
struct PacketScanner {
    /// The latest time of a source, in seconds; the sum of later ones would not be exact.
    ///
    /// Live streams may count from 1970.
    private static let latest = Double(1 << 32)

    let demuxer: Demuxer
    let kinds: [Int: StreamKind]
    let timeBases: [Int: TimeBase]
    /// Streams of uncompressed sound: blocks may have any length, so that a short last block is
    /// complete.
    let bare: Set<Int>
    /// Picture order detectors, for video streams with decoding times only.
    private let orders: [Int: PictureOrder]
    /// Whether the source is a broadcast recording, which may have reception gaps.
    private let isBroadcast: Bool

    init(_ demuxer: Demuxer) {
        self.demuxer = demuxer
        isBroadcast = Broadcast.isOne(demuxer.container)
        let streams = demuxer.streams
        kinds = Dictionary(uniqueKeysWithValues: streams.map { ($0.index, $0.kind) })
        bare = Set(streams.filter { $0.codec.hasPrefix("pcm_") }.map(\.index))
        timeBases = Dictionary(uniqueKeysWithValues: streams.map { ($0.index, $0.timeBase) })
        var orders: [Int: PictureOrder] = [:]
        for stream in streams where demuxer.container == "avi" && stream.kind == .video {
            orders[stream.index] = (try? demuxer.parameters(of: stream.index)).flatMap {
                PictureOrder($0)
            }
        }
        self.orders = orders
    }

    /// Scans from the demuxer's position, which must be the start.
    func scan() throws(FFmpegError) -> SourceScan {
        var tracker = EpochTracker()
        var streams: [Int: StreamScan] = [:]
        var spans: [Int: ShownSpans] = [:]
        var failure: String?
        // Covers have no times.
        let timed = Set(demuxer.streams.filter { !$0.isAttachedPicture }.map(\.index))
        var (hasWildTimes, hasUntimed) = (false, false)
        var census = StreamCensus(demuxer.streams)
        let packet = try Packet()
        while true {
            do throws(FFmpegError) {
                guard try demuxer.read(into: packet) else { break }
            } catch {
                if error.status == .interrupted { throw error }
                failure = "\(error.status)"
                break
            }
            let index = packet.streamIndex
            census.take(packet, demuxer)
            guard let kind = kinds[index], kind == .video || kind == .audio else { continue }
            orders[index]?.add(packet)
            guard let base = timeBases[index] else { continue }
            if !isPlausible(packet, base) { hasWildTimes = true }
            streams[index, default: StreamScan(isBroadcast: isBroadcast)].note(
                length: base.time(max(0, packet.durationTicks)))
            defer {
                spans[index, default: ShownSpans(base, isVideo: kind == .video)].add(
                    pts: packet.ptsTicks, dts: packet.dtsTicks, duration: packet.durationTicks,
                    epoch: tracker.epoch(of: index))
            }
            guard let ticks = packet.ptsTicks ?? packet.dtsTicks else {
                if timed.contains(index) { hasUntimed = true }
                streams[index, default: StreamScan(isBroadcast: isBroadcast)].count(
                    packet, kind, isBare: bare.contains(index), follows: true)
                continue
            }
            // Sound is presented in packet order; pictures are not.
            let clock = (packet.dtsTicks ?? (kind == .audio ? ticks : nil)).map(base.time)
            let before = tracker.epoch(of: index)
            tracker.add(
                stream: index, time: clock, shown: base.time(ticks),
                duration: base.time(packet.durationTicks))
            let epoch = tracker.epoch(of: index)
            let follows = clock.flatMap { streams[index]?.follows($0) } ?? true
            if epoch == before, let clock {
                streams[index]?.noteHole(before: clock, epoch: epoch)
            }
            streams[index, default: StreamScan(isBroadcast: isBroadcast)].count(
                packet, kind, isBare: bare.contains(index), follows: follows || epoch != before)
            if let clock {
                streams[index]?.note(
                    clock, lasting: base.time(max(0, packet.durationTicks)),
                    isSound: kind == .audio)
            }
            if kind == .audio {
                streams[index]?.continuity.add(
                    from: base.time(ticks), to: base.time(ticks + max(0, packet.durationTicks)))
            }
        }
        var scan = finish(streams, spans, tracker, failure)
        scan.census = census
        // A movie times each packet; a time that is too large to count with reads as none.
        let lacksSome = hasUntimed && scan.streams.values.contains(where: \.hasTimestamps)
        scan.hasWildTimes =
            hasWildTimes || lacksSome && demuxer.container.contains("mp4")
        return scan
    }

    private func isPlausible(_ packet: borrowing Packet, _ base: TimeBase) -> Bool {
        [packet.ptsTicks, packet.dtsTicks].allSatisfy {
            $0.map { abs(base.time($0).seconds) <= Self.latest } ?? true
        }
    }

    private func finish(
        _ streams: [Int: StreamScan], _ spans: [Int: ShownSpans], _ tracker: EpochTracker,
        _ failure: String?
    ) -> SourceScan {
        let offsets = tracker.offsets
        var streams = streams
        for (index, found) in spans {
            let moved = found.byEpoch.map {
                ($0.value.start + offsets[$0.key], $0.value.end + offsets[$0.key])
            }
            streams[index]?.start = moved.map(\.0).min()
            streams[index]?.end = moved.map(\.1).max()
        }
        for index in streams.keys {
            streams[index]?.finish()
            for place in streams[index]?.holes.indices ?? 0..<0 {
                streams[index]?.holes[place].move(by: offsets)
            }
            streams[index]?.hasTimestamps = spans[index].map { !$0.byEpoch.isEmpty } ?? false
            streams[index]?.keepsOrder = orders[index]?.isKept ?? false
        }
        let timeline = SourceTimeline(offsets: offsets, switches: tracker.switches)
        return SourceScan(streams: streams, timeline: timeline, readFailure: failure)
    }
}
