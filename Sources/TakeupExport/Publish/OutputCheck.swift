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

    /// Compares streams, counts and durations.
    ///
    /// - Throws: `ExportError.verificationFailed`.
    func quick(_ result: PassResult) throws(ExportError) {
        let (streams, counts) = try reopen()
        let media = streams.filter { $0.kind != .data && !$0.isAttachedPicture }
        let expected = result.written.filter { $0.packets > 0 }
        guard media.count >= expected.count else {
            throw failure("it has \(media.count) streams, \(expected.count) were written")
        }
        for (stream, written) in zip(media, result.written) where written.packets > 0 {
            guard stream.kind == .video || stream.kind == .audio else { continue }
            let count = counts[stream.index] ?? 0
            guard count == written.packets else {
                throw failure(
                    "stream \(stream.index) has \(count) packets, \(written.packets) were written")
            }
            guard let ticks = stream.durationTicks else { continue }
            let duration = stream.timeBase.time(ticks)
            // An edit list hides priming and tells the end as it is shown; without one decoding order counts.
            let start = written.start ?? .zero
            let length = min(
                written.decodeLength + min(.zero, start), (written.end ?? start) - max(.zero, start)
            )
            if duration + Self.tolerance < length {
                throw failure("stream \(stream.index) lasts \(duration), \(length) were written")
            }
        }
    }

    /// Decodes every frame.
    ///
    /// - Throws: `ExportError.verificationFailed`.
    func full(_ result: PassResult) throws(ExportError) {
        let found = try decode()
        if let problem = found.problems.first { throw failure(problem) }
        guard result.frames == 0 || found.frames == result.frames else {
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

    private func reopen() throws(ExportError) -> ([StreamDescription], [Int: Int]) {
        let opened = try opened()
        do throws(FFmpegError) {
            // What was written is in the header; what a decoder makes of it is `full`'s to see.
            let demuxer = try Demuxer(
                opened.source, name: opened.name, cancellation: cancellation)
            let streams = demuxer.streams
            let counts = streams.map { ($0.index, demuxer.indexCount(of: $0.index)) }
            return (streams, Dictionary(uniqueKeysWithValues: counts))
        } catch {
            if error.status == .interrupted { throw .cancelled }
            throw failure("it cannot be opened again: \(error.status)")
        }
    }

    private func failure(_ reason: String) -> ExportError {
        .verificationFailed(file.name, reason: reason)
    }
}
