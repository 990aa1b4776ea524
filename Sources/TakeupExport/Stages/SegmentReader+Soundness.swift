internal import TakeupFFmpeg
internal import TakeupTimeline

extension SegmentReader {
    /// Enters where a decoder shows a sound picture no later than the segment's start, for copies that nobody
    /// decodes here.
    ///
    /// A key packet may be the mere beginning of a recovery that takes many pictures.
    func enterSoundly() throws(FFmpegError) {
        var steps = EntrySteps(start: segment.sourceStart, tick: stream.timeBase.tick)
        while try enter(noLaterThan: steps.next(after: entry)), let found = entry {
            guard try !showsInTime(from: found) else {
                _ = try enter(noLaterThan: found)
                return
            }
        }
    }

    private func showsInTime(from entry: MediaTime) throws(FFmpegError) -> Bool {
        guard let decoder = try? Decoder(parameters(), timeBase: stream.timeBase) else {
            return true
        }
        let packet = try Packet()
        let frame = try Frame()
        while try next(packet) {
            // What a decoder cannot take here it cannot take later either; it goes on with the next.
            guard (try? decoder.send(packet)) == true else { continue }
            if let verdict = verdict(decoder, frame, entry) { return verdict }
        }
        try? decoder.finish()
        return verdict(decoder, frame, entry) ?? false
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
