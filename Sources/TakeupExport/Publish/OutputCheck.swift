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

    /// Compares streams, counts, first and last times and durations, and decodes the first and the last pictures
    /// and pieces of sound.
    ///
    /// - Parameters:
    ///   - result: What was written.
    ///   - effort: How much of a track is decoded, by its place.
    /// - Returns: What decoding found, by the tracks' places.
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

    /// FFmpeg's reader hides a last block of sound of which a cut hides more than it shows.
    ///
    /// - Returns: What is wrong where all sound is hidden; nil where some is heard.
    private func hidden(_ stream: FinishedStream, _ written: WrittenTrack) -> String? {
        guard written.kind == .audio, stream.firstShown == nil,
            let end = written.end, end > FinishedStream.soundTolerance
        else { return nil }
        return "players hide its only block"
    }

    /// - Returns: How a stream differs from what was written; nil when it does not.
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
        // An edit list hides priming and tells the end as it is shown; without one decoding order counts.
        let length = min(
            written.decodeLength + min(.zero, start), end - max(.zero, start))
        guard duration + Self.tolerance < length else { return nil }
        return "lasts \(duration), \(length) were written"
    }

    /// - Throws: `ExportError.verificationFailed` when any track has a problem.
    func judge(_ problems: [Int: String]) throws(ExportError) {
        guard let (place, problem) = problems.min(by: { $0.key < $1.key }) else { return }
        throw failure("track \(place): \(problem)")
    }

    /// Compares what was decoded of every track with what was written.
    ///
    /// - Parameters:
    ///   - found: What decoding found.
    ///   - problems: Those of the tracks that count.
    ///   - result: What was written.
    ///   - countsFrames: Whether the number of pictures counts too.
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

    /// Decodes every frame and tells what is wrong.
    func decode() throws(ExportError) -> Verification {
        try WholeDecode(opened: opened(), cancellation: cancellation).run(progress)
    }

    /// The same open file: what was written may have no name by which it could be found.
    private func opened() throws(ExportError) -> OpenedSource {
        try Asset(descriptor: file.descriptor, name: file.name).open()
    }

    /// Looks into the finished file: what is in its header, and its first and last packets.
    private func reopen(
        _ result: PassResult, _ effort: (Int) -> FinishedStream.Effort
    ) throws(ExportError) -> [FinishedStream] {
        let opened = try opened()
        do throws(FFmpegError) {
            // What was written is in the header; what a decoder makes of it is shown by decoding.
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
