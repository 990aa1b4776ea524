internal import TakeupFFmpeg
internal import TakeupTimeline

extension SegmentReader {
    /// How far before the first usable entry to search for a clean one, and among how many
    /// keyframes.
    private static let farthest = MediaTime(seconds: Int64(20))
    private static let mostTrials = 12
    /// Number of packets after the first undamaged picture in which an entry's faults show.
    private static let cleanPackets = 24

    /// The result of decoding from a keyframe.
    private enum Trial {
        /// The first undamaged picture is shown after the segment's start.
        case late
        /// The picture is early enough, but the decoder lacks packets from before the keyframe.
        case complaining
        case clean
    }

    /// Seeks to a keyframe from which a decoder shows an undamaged picture by the segment's start;
    /// for copies.
    ///
    /// The entry is clean if the decoder lacks nothing from before it. A keyframe may be only the
    /// start of a long recovery, or open a GOP that refers to the previous GOP. If no near keyframe
    /// is clean, the nearest one that is early enough is used.
    func enterSoundly() throws(FFmpegError) {
        var steps = EntrySteps(start: segment.sourceStart, tick: stream.timeBase.tick)
        var inTime: MediaTime?
        var trials = 0
        var latest = steps.next(after: nil)
        while try enter(noLaterThan: latest), let found = entry {
            trials += 1
            switch try trial(from: found) {
            case .clean:
                _ = try enter(noLaterThan: found)
                return
            case .complaining: inTime = inTime ?? found
            case .late: break
            }
            if let inTime, inTime - found > Self.farthest || trials >= Self.mostTrials { break }
            latest = inTime == nil ? steps.next(after: found) : found - stream.timeBase.tick
        }
        guard let inTime else { return }
        // Nothing lies before the source's start.
        let isAtStart = entry == nil
        let lead = inTime - asset.description.startTime
        if !isAtStart || lead > Self.farthest { _ = try enter(noLaterThan: inTime) }
    }

    private func trial(from entry: MediaTime) throws(FFmpegError) -> Trial {
        guard let decoder = try? Decoder(parameters(), timeBase: stream.timeBase) else {
            return .clean
        }
        let packet = try Packet()
        let frame = try Frame()
        var rest: Int?
        while rest != 0, try next(packet) {
            // The copy leaves out pictures before the entry too.
            if !isEntryVague, let ticks = packet.ptsTicks, stream.timeBase.time(ticks) < entry {
                continue
            }
            // A packet that the decoder refuses here would be refused later too; continue with the
            // next one.
            guard (try? decoder.send(packet)) == true else { continue }
            guard let left = rest else {
                guard let isInTime = verdict(decoder, frame, entry) else { continue }
                guard isInTime else { return .late }
                rest = Self.cleanPackets
                continue
            }
            while (try? decoder.receive(into: frame)) == true {}
            rest = left - 1
        }
        try? decoder.finish()
        guard rest != nil || verdict(decoder, frame, entry) == true else { return .late }
        return decoder.complaintCount == 0 ? .clean : .complaining
    }

    /// - Returns: Whether the first undamaged picture came early enough; nil if there is none yet.
    private func verdict(
        _ decoder: Decoder, _ frame: borrowing Frame, _ entry: MediaTime
    ) -> Bool? {
        while (try? decoder.receive(into: frame)) == true {
            guard let ticks = frame.bestEffortTicks ?? frame.ptsTicks else { return true }
            let time = stream.timeBase.time(ticks)
            if time < entry { continue }
            if time > segment.sourceStart { return false }
            if !frame.isDamaged { return true }
        }
        return nil
    }
}
