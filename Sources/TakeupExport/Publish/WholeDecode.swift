internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Decodes every packet of every track in one file and records all problems.
struct WholeDecode {
    /// Highest number of problems with a text; further problems are only counted.
    private static let mostProblems = 20

    let opened: OpenedSource
    let cancellation: Cancellation

    fileprivate struct Track {
        let stream: StreamDescription
        let decoder: Decoder
        var frames = 0
        var packets = 0
        /// Number of packets that show nothing: empty ones, and those before an edit list's start.
        var hidden = 0
        var faults = 0
        var firstFault: String?
    }

    /// Decodes everything; decodes a faulty file again with one thread.
    ///
    /// With several threads, chance decides which fault is reported first and which pictures are
    /// marked.
    ///
    /// - Parameter progress: Receives the time of the last decoded frame.
    /// - Returns: The result.
    /// - Throws: `ExportError` if there is nothing to decode or the task was cancelled.
    func run(_ progress: ProgressMeter? = nil) throws(ExportError) -> Verification {
        do throws(FFmpegError) {
            let found = try decode(opened.demuxer(cancellation), threads: 0, progress)
            guard !found.problems.isEmpty else { return found }
            progress?.again()
            return try decode(opened.demuxer(cancellation), threads: 1, progress)
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: FFmpegError) -> ExportError {
        if error.status == .interrupted { return .cancelled }
        return error.operation == .read
            ? .inputUnreadable(opened.name, reason: "\(error.status)")
            : .notMedia(opened.name, reason: "\(error.status)")
    }

    /// Decodes everything in a source that may consist of several consecutive parts.
    ///
    /// - Returns: The joined result of all parts.
    /// - Throws: `ExportError`, like `run` and `SourceParts.seams`.
    func runParts() throws(ExportError) -> Verification {
        let demuxer = Result { () throws(FFmpegError) in
            try Demuxer(
                opened.source, name: opened.name, limits: opened.limits, cancellation: cancellation)
        }
        let seams = try SourceParts(
            opened: opened, container: (try? demuxer.get())?.container, cancellation: cancellation
        ).seams()
        let pieces = SourceParts.divide(opened, at: seams)
        return Verification(
            parts: try pieces.map { (piece) throws(ExportError) in
                try WholeDecode(opened: piece, cancellation: cancellation).run()
            }, mostProblems: Self.mostProblems)
    }

    private func decode(
        _ demuxer: Demuxer, threads: Int, _ progress: ProgressMeter?
    ) throws(FFmpegError) -> Verification {
        var tracks: [Int: Track] = [:]
        var problems: [String] = []
        for stream in demuxer.streams where !stream.isAttachedPicture {
            guard stream.kind == .video || stream.kind == .audio else { continue }
            do throws(FFmpegError) {
                var settings = Decoder.Settings(threads: stream.kind == .video ? threads : 1)
                // Nobody looks at the pictures, and H.264's loop filter finds no fault.
                settings.isRough = stream.codec == "h264"
                let decoder = try Decoder(
                    demuxer.parameters(of: stream.index), timeBase: stream.timeBase,
                    settings: settings)
                tracks[stream.index] = Track(stream: stream, decoder: decoder)
            } catch {
                problems.append("track \(stream.index) (\(stream.codec)): \(error.status)")
            }
        }
        var end = MediaTime.zero
        var census = StreamCensus(demuxer.streams)
        let packet = try Packet()
        let frame = try Frame()
        do throws(FFmpegError) {
            while try demuxer.read(into: packet) {
                guard var track = tracks.removeValue(forKey: packet.streamIndex) else {
                    census.take(packet, demuxer)
                    continue
                }
                track.packets += 1
                if packet.isDiscarded || packet.byteCount == 0 { track.hidden += 1 }
                if packet.isCorrupt { track.note("a packet is damaged") }
                let base = track.stream.timeBase
                if let ticks = packet.ptsTicks {
                    end = max(end, base.time(ticks + packet.durationTicks))
                    progress?.reach(base.time(ticks))
                }
                track.feed(packet, frame)
                tracks[track.stream.index] = track
            }
        } catch {
            if error.status == .interrupted { throw error }
            problems.append("reading stopped at \(end): \(error.status)")
        }
        problems += census.late.map { "\($0.name) begins midway, and is not decoded" }
        return finish(&tracks, problems, demuxer, end, frame)
    }

    private func finish(
        _ tracks: inout [Int: Track], _ problems: [String], _ demuxer: Demuxer, _ end: MediaTime,
        _ frame: borrowing Frame
    ) -> Verification {
        let general = problems
        var problems = problems
        var trackProblems: [Int: String] = [:]
        var frames = 0
        var hasVideo = false
        for index in tracks.keys.sorted() {
            guard var track = tracks[index] else { continue }
            track.flush(frame)
            var faults: [String] = []
            let label = "track \(index) (\(track.stream.kind.rawValue), \(track.stream.codec))"
            if track.frames == 0 { faults.append("no frame could be decoded") }
            let complaints = track.decoder.complaintCount
            if complaints > 0 {
                faults.append(
                    "the decoder complains \(complaints) times, of the first fault:"
                        + " \(track.decoder.firstComplaint ?? "")")
            } else if track.faults > 0 {
                faults.append("\(track.faults) faults, the first: \(track.firstFault ?? "")")
            }
            let declared = demuxer.container.contains("mp4") ? demuxer.indexCount(of: index) : 0
            let shown = track.packets - track.hidden
            if declared > 0, FramesPerPacket.isOne(track.stream.codec), track.frames < shown {
                faults.append("\(shown - track.frames) of \(shown) pictures are undecodable")
                track.faults = max(track.faults, shown - track.frames)
            }
            tracks[index] = track
            if track.packets < declared {
                faults.append("\(track.packets) of \(declared) packets are there")
            }
            if !faults.isEmpty { trackProblems[index] = faults.joined(separator: "; ") }
            problems += faults.map { "\(label): \($0)" }
            if track.stream.kind == .video, !hasVideo {
                (frames, hasVideo) = (track.frames, true)
            }
        }
        if tracks.isEmpty, problems.isEmpty { problems.append("it holds neither video nor audio") }
        let worst = tracks.values.map { Double($0.faults) / Double(max(1, $0.packets)) }.max() ?? 0
        return Verification(
            duration: end, frames: frames, problems: Array(problems.prefix(Self.mostProblems)),
            lostSeconds: MediaTime(seconds: end.seconds * min(1, worst)),
            trackProblems: trackProblems, generalProblems: general)
    }
}

extension WholeDecode.Track {
    fileprivate mutating func note(_ fault: String) {
        faults += 1
        firstFault = firstFault ?? fault
    }

    fileprivate mutating func feed(_ packet: borrowing Packet, _ frame: borrowing Frame) {
        while true {
            var isTaken = true
            do throws(FFmpegError) {
                isTaken = try decoder.send(packet)
            } catch {
                note("\(error.status) at packet \(packets)")
            }
            drain(frame)
            if isTaken { return }
        }
    }

    fileprivate mutating func flush(_ frame: borrowing Frame) {
        try? decoder.finish()
        drain(frame)
    }

    private mutating func drain(_ frame: borrowing Frame) {
        while true {
            do throws(FFmpegError) {
                guard try decoder.receive(into: frame) else { return }
                frames += 1
                if frame.isDamaged { note("frame \(frames) is damaged") }
            } catch {
                note("\(error.status) at packet \(packets)")
            }
        }
    }
}
