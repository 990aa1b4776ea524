internal import TakeupFFmpeg
internal import TakeupFiles
internal import TakeupLanes
internal import TakeupTimeline

/// Reads a finished file like a player and compares it with the written packets.
struct OutputCheck {
    /// Tolerance for durations: the index rounds to its own ticks.
    private static let tolerance = MediaTime(value: 1, timescale: 20)

    let file: OpenFile
    let cancellation: Cancellation
    let progress: ProgressMeter

    /// Compares streams, packet counts, first and last times and durations; decodes the first and
    /// last frames.
    ///
    /// - Parameters:
    ///   - result: The written tracks.
    ///   - effort: How much of each track to decode, by index.
    /// - Returns: Problems found by decoding, by track index.
    /// - Throws: `ExportError.verificationFailed`.
    func quick(
        _ result: PassResult,
        effort: (Int) -> FinishedStream.Effort = { _ in .made }
    ) throws(ExportError) -> [Int: String] {
        if let shown = result.shownFrames {
            let expected = shown + result.repeatedFrames - result.droppedFrames
            guard expected == result.frames else {
                throw failure("\(expected) pictures were decoded, \(result.frames) written")
            }
        }
        var problems: [Int: String] = [:]
        let places = result.written.indices.filter { result.written[$0].packets > 0 }
        for (stream, place) in zip(try reopen(result, effort), places) {
            let written = result.written[place]
            guard written.kind == .video || written.kind == .audio else { continue }
            if let problem = hidden(stream, written) {
                problems[place] = problem
                continue
            }
            if let fault = fault(stream, written) {
                throw failure("stream \(stream.description.index) \(fault)")
            }
            problems[place] = stream.problem
        }
        return problems
    }

    /// Reports sound that a cut hides completely: FFmpeg's demuxer hides a last block if the cut
    /// hides more than half.
    ///
    /// - Returns: The problem if all sound is hidden; nil if some can be heard.
    private func hidden(_ stream: FinishedStream, _ written: WrittenTrack) -> String? {
        guard written.kind == .audio, stream.firstShown == nil,
            let end = written.end, end > FinishedStream.soundTolerance
        else { return nil }
        return "players hide its only block"
    }

    /// - Returns: How a stream differs from the written one; nil if it does not.
    private func fault(_ stream: FinishedStream, _ written: WrittenTrack) -> String? {
        guard stream.packets == written.packets else {
            return "has \(stream.packets) packets, \(written.packets) were written"
        }
        let start = written.start ?? .zero
        let end = written.end ?? start
        var pairs = [
            ("begins", stream.first, written.start),
            ("has its last packet", stream.last, written.last),
        ]
        if written.kind == .video {
            pairs += [
                ("shows its first picture", stream.firstShown, written.firstShown),
                ("shows its last picture", stream.lastShown, written.lastShown),
            ]
        }
        let tolerance =
            written.kind == .video ? FinishedStream.tolerance : FinishedStream.soundTolerance
        for (verb, found, time) in pairs {
            guard let time else { continue }
            guard let found else { return "\(verb) nowhere, \(time) was written" }
            if abs(found - time) > tolerance { return "\(verb) at \(found), \(time) was written" }
        }
        guard let ticks = stream.description.durationTicks else { return nil }
        let duration = stream.description.timeBase.time(ticks)
        // An edit list hides priming and gives the shown end; without one, decoding order counts.
        let length = min(
            written.decodeLength + min(.zero, start), end - max(.zero, start))
        guard duration + Self.tolerance < length else { return nil }
        return "lasts \(duration), \(length) were written"
    }

    /// - Throws: `ExportError.verificationFailed` if any track has a problem.
    func judge(_ problems: [Int: String]) throws(ExportError) {
        guard let (place, problem) = problems.min(by: { $0.key < $1.key }) else { return }
        throw failure("track \(place): \(problem)")
    }

    /// Compares the decoded tracks with the written ones.
    ///
    /// - Parameters:
    ///   - found: The result of decoding.
    ///   - problems: Problems of the tracks that count.
    ///   - result: The written tracks.
    ///   - countsFrames: Whether to compare the number of pictures too.
    /// - Throws: `ExportError.verificationFailed`.
    func judge(
        _ found: Verification, _ problems: [Int: String], _ result: PassResult, countsFrames: Bool
    ) throws(ExportError) {
        if let problem = found.generalProblems.first { throw failure(problem) }
        try judge(problems)
        guard !countsFrames || result.frames == 0 || found.frames == result.frames else {
            throw failure("\(found.frames) frames decode, \(result.frames) were written")
        }
    }

    /// Decodes every frame and returns all problems.
    func decode() throws(ExportError) -> Verification {
        try WholeDecode(opened: opened(), cancellation: cancellation).run(progress)
    }

    /// Opens the same file by its descriptor, because an unpublished file may have no name.
    private func opened() throws(ExportError) -> OpenedSource {
        try Asset(descriptor: file.descriptor, name: file.name).open()
    }

    /// Examines the finished file: its header, and its first and last packets.
    private func reopen(
        _ result: PassResult, _ effort: (Int) -> FinishedStream.Effort
    ) throws(ExportError) -> [FinishedStream] {
        let opened = try opened()
        do throws(FFmpegError) {
            // Do not search for streams: the header has all that was written, and decoding shows
            // the rest.
            let demuxer = try Demuxer(
                opened.source, name: opened.name, cancellation: cancellation)
            let media = demuxer.streams.filter { $0.kind != .data && !$0.isAttachedPicture }
            let places = result.written.indices.filter { result.written[$0].packets > 0 }
            let expected = places.map { result.written[$0].kind }
            guard media.prefix(expected.count).map(\.kind) == expected else {
                throw FFmpegError(
                    .findStreams, status: .invalidData,
                    subject: "its tracks are \(names(media.map(\.kind))), written were "
                        + names(expected))
            }
            return try zip(media, places).map { (stream, place) throws(FFmpegError) in
                try FinishedStream(stream, demuxer, effort(place))
            }
        } catch {
            if error.status == .interrupted { throw .cancelled }
            if error.operation == .findStreams { throw failure(error.subject) }
            throw failure("it cannot be opened again: \(error.status)")
        }
    }

    private func names(_ kinds: [StreamKind]) -> String {
        kinds.isEmpty ? "none" : kinds.map(\.rawValue).joined(separator: ", ")
    }

    private func failure(_ reason: String) -> ExportError {
        .verificationFailed(file.name, reason: reason)
    }
}

private func abs(_ time: MediaTime) -> MediaTime { time < .zero ? -time : time }
