internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Reads, decodes and times the pictures of one output track, segment by segment, on one lane.
final class VideoDecodeStage {
    private let sources: [OpenedSource]
    private let assets: [InspectedAsset]
    private let plan: VideoTrackPlan
    private let timing: FrameTimingPlan
    private let control: RunControl
    private let output: BoundedQueue<TimedFrame>
    /// Set before the output ends if the next picture after the last one starts at the range's end or later.
    private let lastsToEnd: Locked<Bool>
    private let threads: Int
    /// Gives a token for each segment that may begin; nil lets all begin at once.
    private let admission: BoundedQueue<Int>?
    private var hold: Frame?
    private var sourceBase = TimeBase(1, 1000)
    private(set) var tallies: [TrackTally] = []

    init(
        _ inputs: RunInputs, plan: VideoTrackPlan, timing: FrameTimingPlan, control: RunControl,
        output: BoundedQueue<TimedFrame>, threads: Int, lastsToEnd: Locked<Bool> = Locked(false),
        admission: BoundedQueue<Int>? = nil
    ) {
        self.admission = admission
        self.lastsToEnd = lastsToEnd
        sources = inputs.sources
        assets = inputs.assets
        self.plan = plan
        self.timing = timing
        self.control = control
        self.output = output
        self.threads = threads
    }

    private var trackBase: TimeBase { TimeBase(1, Int32(clamping: timing.timescale)) }

    /// Decodes everything, then signals the end to the next stage.
    func run() {
        defer { output.finish() }
        do throws(FFmpegError) {
            for place in plan.segments.indices {
                guard !control.isStopped else { return }
                if let admission, admission.pop() == nil { return }
                try decode(place)
                guard admission != nil else { continue }
                guard output.push(TimedFrame(frame: try Frame(), segment: place, endsSegment: true))
                else { return }
            }
        } catch {
            control.fail(error, .decode)
        }
    }

    private func decode(_ place: Int) throws(FFmpegError) {
        let segment = plan.segments[place]
        guard let track = segment.track else { return }
        let reader = try SegmentReader(
            sources[segment.source], assets[segment.source], segment, track: track,
            cancellation: control.cancellation)
        var steps = EntrySteps(start: segment.sourceStart, tick: reader.stream.timeBase.tick)
        while !control.isStopped {
            if !segment.isWhole {
                _ = try reader.enter(noLaterThan: steps.next(after: reader.entry))
            }
            var pass = DecodePass(
                entry: reader.entry.map { $0 - segment.sourceStart },
                opening: assets[segment.source].openings[track].map { $0 - segment.sourceStart },
                awaitsKey: reader.isEntryVague)
            pass.faults = PictureFaults(missesEarlier: (pass.entry ?? pass.opening) != nil)
            if try decode(place, reader, &pass) { continue }
            pass.tally.faults = pass.faults
            pass.tally.isWhole = segment.isWhole && !pass.isPastEnd
            pass.tally.beginsLate = !segment.isWhole && !pass.isInTime
            tallies.append(pass.tally)
            // Where packets may be missing, the next picture says nothing about this one.
            let isHeld =
                pass.isPastEnd && pass.tally.frames > 0 && !pass.tally.hasFaults
                && !assets[segment.source].landsWithinPackets
            if isHeld, place == plan.segments.count - 1 { lastsToEnd.withLock { $0 = true } }
            return
        }
    }

    /// The state of one attempt at one segment.
    private struct DecodePass {
        /// Presentation time of the first decoded keyframe, from the segment's start.
        ///
        /// nil if decoding began with the source, so that nothing lies further back.
        let entry: MediaTime?
        /// Presentation time of the first keyframe in a source that begins within a GOP; nil for
        /// others.
        let opening: MediaTime?
        /// Whether `entry` is too early, so that only the picture type identifies the keyframe.
        var awaitsKey: Bool
        var tally = TrackTally()
        var faults = PictureFaults()
        var decoded = 0
        var isPastEnd = false
        /// Whether an undamaged picture came no later than the segment's start.
        var isInTime = false

        var canRetry: Bool { entry != nil && !isInTime }
    }

    /// - Returns: Whether reading began too late and must be tried again from further back.
    private func decode(
        _ place: Int, _ reader: SegmentReader, _ pass: inout DecodePass
    ) throws(FFmpegError) -> Bool {
        let asset = assets[reader.segment.source]
        let rate =
            asset.description.tracks.first { $0.index == reader.stream.index }?.video?.plausibleRate
        var clock = FrameClock(
            timing, reader.segment, sourceTick: reader.stream.timeBase.tick, rate: rate,
            isTimed: !asset.lacksTimestamps)
        sourceBase = reader.stream.timeBase
        let decoder = try Decoder(
            reader.parameters(), timeBase: reader.stream.timeBase,
            settings: Decoder.Settings(threads: threads))
        let packet = try Packet()
        hold = nil
        while !control.isStopped, !pass.isPastEnd, try reader.next(packet) {
            if pass.faults.isFirst, try !isClean(packet, reader) { pass.faults.missEarlier() }
            pass.faults.take(isKey: packet.isKey, isShown: isShown(packet, reader))
            if try feed(packet, decoder, place, reader, &clock, &pass) { return true }
            pass.faults.note(complaints: decoder.complaintCount)
        }
        if !pass.isPastEnd, !control.isStopped {
            try? decoder.finish()
            if try drain(decoder, place, reader, &clock, &pass) { return true }
            if pass.canRetry { return true }
        }
        if !clock.hasShown, let held = hold.take() {
            push(held, at: clock.target, place)
            pass.tally.frames += 1
        }
        merge(reader.tally, into: &pass.tally)
        pass.faults.note(complaints: decoder.complaintCount)
        pass.tally.complaints = decoder.complaintCount
        return false
    }

    private func isClean(
        _ packet: borrowing Packet, _ reader: SegmentReader
    ) throws(FFmpegError) -> Bool {
        let sets = ParameterSets(reader.stream.codec, try reader.parameters().extradata)
        return packet.withBytes { sets.isClean($0, reader.stream.codec) }
    }

    /// Returns whether a packet's picture is part of the range.
    private func isShown(_ packet: borrowing Packet, _ reader: SegmentReader) -> Bool {
        guard !packet.isDiscarded else { return false }
        guard !reader.segment.isOpenEnded, let ticks = packet.ptsTicks else { return true }
        let time = reader.stream.timeBase.time(ticks) - reader.segment.sourceStart
        return time < reader.segment.ownDuration
    }

    private func merge(_ read: TrackTally, into tally: inout TrackTally) {
        tally.packets = read.packets
        tally.hiddenPackets = read.hiddenPackets
        tally.corruptPackets = read.corruptPackets
        tally.readFailure = read.readFailure
    }

    private func feed(
        _ packet: borrowing Packet, _ decoder: Decoder, _ place: Int, _ reader: SegmentReader,
        _ clock: inout FrameClock, _ pass: inout DecodePass
    ) throws(FFmpegError) -> Bool {
        while true {
            var isTaken = true
            do throws(FFmpegError) {
                isTaken = try decoder.send(packet)
            } catch {
                try note(error, &pass)
            }
            if try drain(decoder, place, reader, &clock, &pass) { return true }
            if isTaken { return false }
        }
    }

    private func note(_ error: FFmpegError, _ pass: inout DecodePass) throws(FFmpegError) {
        guard error.operation == .decode, error.status != .outOfMemory else { throw error }
        if pass.decoded == 0 {
            pass.tally.refusedBeforeFirst += 1
        } else {
            pass.tally.refusedPackets += 1
        }
    }

    private func drain(
        _ decoder: Decoder, _ place: Int, _ reader: SegmentReader, _ clock: inout FrameClock,
        _ pass: inout DecodePass
    ) throws(FFmpegError) -> Bool {
        while !pass.isPastEnd {
            let frame = try Frame()
            do throws(FFmpegError) {
                guard try decoder.receive(into: frame) else { return false }
            } catch {
                try note(error, &pass)
                continue
            }
            let time = relativeTime(frame, reader)
            // Pictures shown before the keyframe refer to packets that were not read.
            if let time, let entry = pass.entry ?? pass.opening, time < entry { continue }
            if pass.awaitsKey, !frame.isKey { continue }
            pass.awaitsKey = false
            if pass.canRetry {
                if (time ?? .zero) > .zero { return true }
                // A recovery without a keyframe begins with concealed pictures.
                if frame.isDamaged { continue }
            }
            if !frame.isDamaged, (time ?? .zero) <= .zero { pass.isInTime = true }
            pass.decoded += 1
            pass.tally.decodedFrames = pass.decoded
            if frame.isDamaged {
                pass.tally.damagedFrames += 1
                pass.tally.lastDamagedFrame = pass.decoded
            }
            take(frame, time, place, &clock, &pass)
        }
        return false
    }

    private func relativeTime(_ frame: borrowing Frame, _ reader: SegmentReader) -> MediaTime? {
        guard !assets[reader.segment.source].lacksTimestamps,
            let ticks = frame.bestEffortTicks ?? frame.ptsTicks
        else { return nil }
        return reader.stream.timeBase.time(ticks) - reader.segment.sourceStart
    }

    private func take(
        _ frame: consuming Frame, _ time: MediaTime?, _ place: Int, _ clock: inout FrameClock,
        _ pass: inout DecodePass
    ) {
        if clock.showsHeld(before: time), let held = hold.take() {
            push(held, at: clock.target, place)
            pass.tally.frames += 1
        }
        switch clock.place(time) {
        case .hold:
            hold = consume frame
        case .show(let ticks):
            hold = nil
            pass.tally.frames += 1
            pass.tally.lastTime = max(pass.tally.lastTime, time ?? .zero)
            push(frame, at: ticks, place)
        case .past:
            pass.isPastEnd = true
        }
    }

    private func push(_ frame: consuming Frame, at ticks: Int64, _ place: Int) {
        let length = frame.durationTicks
        frame.ptsTicks = ticks
        frame.durationTicks =
            length > 0
            ? trackBase.ticks(sourceBase.time(length).shown(at: plan.segments[place].speed)) : 0
        _ = output.push(TimedFrame(frame: frame, segment: place))
    }
}
