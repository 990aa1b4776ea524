internal import TakeupFFmpeg
internal import TakeupTimeline

/// Decodes the sound of a track only to count its faults.
struct SoundRecount {
    let inputs: RunInputs
    let control: RunControl
    let progress: ProgressMeter

    /// - Returns: The counts, by segment.
    /// - Throws: `FFmpegError` if a source cannot be opened or read.
    func count(_ segments: [TrackSegment]) throws(FFmpegError) -> [TrackTally] {
        var tallies: [TrackTally] = []
        for segment in segments {
            guard let track = segment.track, !control.isStopped else { continue }
            tallies.append(try count(segment, track))
        }
        return tallies
    }

    private func count(
        _ segment: TrackSegment, _ track: Int
    ) throws(FFmpegError) -> TrackTally {
        let reader = try SegmentReader(
            inputs.sources[segment.source], inputs.assets[segment.source], segment, track: track,
            cancellation: control.cancellation)
        if !segment.isWhole {
            _ = try reader.enter(noLaterThan: segment.sourceStart - SoundLine.lead)
        }
        let decoder = try Decoder(reader.parameters(), timeBase: reader.stream.timeBase)
        let base = reader.stream.timeBase
        let end = segment.isOpenEnded ? nil : segment.sourceStart + segment.duration
        var tally = TrackTally()
        var isPast = false
        let packet = try Packet()
        let frame = try Frame()
        while !control.isStopped, try reader.next(packet) {
            if let ticks = packet.ptsTicks {
                let time = base.time(ticks)
                isPast = end.map { time >= $0 } ?? false
                if isPast { break }
                progress.reach(segment.targetStart + time - segment.sourceStart)
            }
            var isTaken = false
            while !isTaken {
                isTaken = true
                do throws(FFmpegError) {
                    isTaken = try decoder.send(packet)
                } catch {
                    try tally.noteSound(error)
                }
                try drain(decoder, frame, &tally)
            }
        }
        if !isPast {
            try? decoder.finish()
            try drain(decoder, frame, &tally)
        }
        tally.packets = reader.tally.packets
        tally.corruptPackets = reader.tally.corruptPackets
        tally.readFailure = reader.tally.readFailure
        tally.isWhole = segment.isWhole && !isPast
        tally.complaints = decoder.complaintCount
        return tally
    }

    private func drain(
        _ decoder: Decoder, _ frame: borrowing Frame, _ tally: inout TrackTally
    ) throws(FFmpegError) {
        while true {
            do throws(FFmpegError) {
                guard try decoder.receive(into: frame) else { return }
            } catch {
                try tally.noteSound(error)
                continue
            }
            guard frame.sampleCount > 0 else { continue }
            tally.countSound(isDamaged: frame.isDamaged)
        }
    }
}
