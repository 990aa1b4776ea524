internal import TakeupFFmpeg
internal import TakeupTimeline

extension SegmentReader {
    /// How far before the first sound entry a clean one is searched for, and among how many key packets.
    private static let farthest = MediaTime(seconds: Int64(20))
    private static let mostTrials = 12
    /// Packets behind the first sound picture within which faults of an entry show.
    private static let cleanPackets = 24

    /// What decoding from a key packet showed.
    private enum Trial {
        /// The first sound picture is shown after the segment's start.
        case late
        /// It comes in time, but the decoder misses what lies before the key packet.
        case complaining
        case clean
    }

    /// Enters where a decoder shows a sound picture no later than the segment's start, for copies that nobody
    /// decodes here, and misses nothing that lies before.
    ///
    /// A key packet may be the mere beginning of a recovery that takes many pictures, or open a group whose
    /// pictures refer to those of the group before. Where none near by is clean, the nearest that is in time is taken.
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
        // At the source's start nothing lies before.
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
            // Pictures before the entry are left out of the copy too.
            if !isEntryVague, let ticks = packet.ptsTicks, stream.timeBase.time(ticks) < entry {
                continue
            }
            // What a decoder cannot take here it cannot take later either; it goes on with the next.
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

    /// - Returns: Whether the first sound picture came in time; nil while there is none.
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
