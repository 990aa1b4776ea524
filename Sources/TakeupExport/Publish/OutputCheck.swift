internal import TakeupFFmpeg
internal import TakeupFiles
internal import TakeupLanes
internal import TakeupTimeline

/// Reads a finished file as a player would and compares it with what was written into it.
struct OutputCheck {
    /// How far a duration may be off: the index rounds to its own ticks.
    private static let tolerance = MediaTime(value: 1, timescale: 20)

    let file: OpenFile
    let cancellation: Cancellation
    let progress: ProgressMeter

    /// Compares streams, counts, first and last times and durations.
    ///
    /// - Throws: `ExportError.verificationFailed`.
    func quick(_ result: PassResult) throws(ExportError) {
        if let shown = result.shownFrames {
            let expected = shown + result.repeatedFrames - result.droppedFrames
            guard expected == result.frames else {
                throw failure("\(expected) pictures were decoded, \(result.frames) written")
            }
        }
        let found = try reopen(result)
        for (stream, written) in zip(found, result.written) where written.packets > 0 {
            guard stream.description.kind == .video || stream.description.kind == .audio else {
                continue
            }
            try compare(stream, written)
        }
    }

    private func compare(
        _ stream: FinishedStream, _ written: WrittenTrack
    ) throws(ExportError) {
        let name = "stream \(stream.description.index)"
        guard stream.packets == written.packets else {
            throw failure(
                "\(name) has \(stream.packets) packets, \(written.packets) were written")
        }
        let start = written.start ?? .zero
        let end = written.end ?? start
        if let found = stream.first, abs(found - start) > FinishedStream.tolerance {
            throw failure("\(name) begins at \(found), \(start) was written")
        }
        if let found = stream.last, let last = written.last,
            abs(found - last) > FinishedStream.tolerance
        {
            throw failure("the last packet of \(name) is at \(found), written at \(last)")
        }
        guard let ticks = stream.description.durationTicks else { return }
        let duration = stream.description.timeBase.time(ticks)
        // An edit list hides priming and tells the end as it is shown; without one decoding order counts.
        let length = min(
            written.decodeLength + min(.zero, start), end - max(.zero, start))
        if duration + Self.tolerance < length {
            throw failure("\(name) lasts \(duration), \(length) were written")
        }
    }

    /// Compares what was decoded of every track with what was written.
    ///
    /// - Throws: `ExportError.verificationFailed`.
    func judge(
        _ found: Verification, _ result: PassResult, countsFrames: Bool
    ) throws(ExportError) {
        if let problem = found.problems.first { throw failure(problem) }
        guard !countsFrames || result.frames == 0 || found.frames == result.frames else {
            throw failure("\(found.frames) frames decode, \(result.frames) were written")
        }
    }

    /// Decodes every frame and tells what is wrong.
    func decode() throws(ExportError) -> Verification {
        let whole = WholeDecode(opened: try opened(), cancellation: cancellation)
        return try whole.run { progress.reach($0) }
    }

    /// The same open file: what was written may have no name by which it could be found.
    private func opened() throws(ExportError) -> OpenedSource {
        try Asset(descriptor: file.descriptor, name: file.name).open()
    }

    /// Looks into the finished file: what is in its header, and its first and last packets.
    private func reopen(_ result: PassResult) throws(ExportError) -> [FinishedStream] {
        let opened = try opened()
        do throws(FFmpegError) {
            // What was written is in the header; what a decoder makes of it is shown by decoding.
            let demuxer = try Demuxer(
                opened.source, name: opened.name, cancellation: cancellation)
            let media = demuxer.streams.filter { $0.kind != .data && !$0.isAttachedPicture }
            let expected = result.written.filter { $0.packets > 0 }
            guard media.count >= expected.count else {
                throw FFmpegError(
                    .findStreams, status: .invalidData,
                    subject: "it has \(media.count) streams, \(expected.count) were written")
            }
            return try FinishedStream.read(media, demuxer)
        } catch {
            if error.status == .interrupted { throw .cancelled }
            if error.operation == .findStreams { throw failure(error.subject) }
            throw failure("it cannot be opened again: \(error.status)")
        }
    }

    private func failure(_ reason: String) -> ExportError {
        .verificationFailed(file.name, reason: reason)
    }
}

private func abs(_ time: MediaTime) -> MediaTime { time < .zero ? -time : time }
