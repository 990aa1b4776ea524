internal import Foundation
internal import TakeupDigest
internal import TakeupFFmpeg
internal import TakeupFiles
internal import TakeupLanes
internal import TakeupTimeline

/// Performs one plan: renders into a file that nobody sees, checks it, gives it its name.
final class ExportRun {
    /// What a cut may fall short of its plan by: containers round, and tracks end apart.
    private static let shortness = MediaTime(value: 1, timescale: 2)

    let inputs: RunInputs
    let plan: ExportPlan
    let settings: ExportSettings
    let control: RunControl
    let progress: ProgressMeter

    init(
        _ inputs: RunInputs, plan: ExportPlan, settings: ExportSettings,
        cancellation: Cancellation, progress: ProgressMeter
    ) {
        self.inputs = inputs
        self.plan = plan
        self.settings = settings
        control = RunControl(cancellation)
        self.progress = progress
    }

    /// - Returns: What was written, once it stands at its path.
    func perform(to destination: String) throws(ExportError) -> ExportReport {
        let began = ContinuousClock.now
        if let loss = plan.loss { try refuse(loss) }
        let partial = try makeFile(destination)
        let poster = try plan.video == nil ? nil : settings.posterPath.map(makeFile)
        let result = try render(into: partial)
        // What the lanes counted is exact; what was known before repeats it.
        let found = result.losses.isEmpty ? plan.loss.map { [$0] } ?? [] : result.losses
        let loss = LossAssessor.combine(found + shortRange(result))
        if let loss { try refuse(loss) }
        let renderedDuration = result.written.compactMap(\.end).max() ?? .zero
        guard result.written.contains(where: { $0.packets > 0 }) else {
            throw .unsupported(names, reason: "nothing in it could be decoded")
        }
        try refuseMissingTracks(result)
        try verify(partial, result)
        progress.begin(.finish, from: 0.98, to: 1)
        let digest = try publishable(partial)
        if let poster {
            try PosterMaker(source: partial.path, cancellation: control.cancellation)
                .write(to: poster, duration: renderedDuration)
        }
        guard !control.cancellation.isCancelled else { throw .cancelled }
        let bytes = partial.byteCount
        let published = try ExportError.files { () throws(FileError) in
            try partial.publish(settings.overwrite.ofFile)
        }
        let (picture, pictureWarning) = publishPoster(poster)
        progress.begin(.finish, from: 1, to: 1)
        return ExportReport(
            output: published.path, bytes: bytes, duration: renderedDuration, frames: result.frames,
            sha256: digest, seconds: (ContinuousClock.now - began) / .seconds(1),
            warnings: plan.warnings + result.warnings + rateWarnings(result) + lossWarnings(loss)
                + [published.warning, pictureWarning].compactMap(\.self),
            loss: loss, poster: picture)
    }

    private func makeFile(_ path: String) throws(ExportError) -> PartialFile {
        try ExportError.files { () throws(FileError) in try PartialFile(for: path) }
    }

    private var names: String { plan.sources.joined(separator: ", ") }

    private func refuse(_ loss: LossReport) throws(ExportError) {
        guard settings.onTruncated == .fail else { return }
        throw .sourceIncomplete(names, loss)
    }

    /// A range that the source does not fill, though its header promised to.
    private func shortRange(_ result: PassResult) -> [LossReport] {
        guard settings.timeRange != nil, let end = result.written.compactMap(\.end).max(),
            plan.duration - end > Self.shortness
        else { return [] }
        return [
            LossReport(
                lostSeconds: plan.duration - end,
                details: ["the range is \(plan.duration) long, the source holds \(end) of it"],
                isTruncated: true)
        ]
    }

    /// A planned track that came out empty is a loss, unless the cut left nothing of it.
    private func refuseMissingTracks(_ result: PassResult) throws(ExportError) {
        let planned =
            (plan.video.map { [($0.segments, "video")] } ?? [])
            + plan.audio.map { ($0.segments, "audio") }
        for ((segments, name), written) in zip(planned, result.written) {
            guard written.packets == 0, segments.contains(where: \.isWhole) else { continue }
            throw .verificationFailed(
                names, reason: "its \(name) track is empty, though the source has one")
        }
    }

    private func rateWarnings(_ result: PassResult) -> [ExportWarning] {
        guard result.repeatedFrames + result.droppedFrames > 0 else { return [] }
        return [
            ExportWarning(
                code: "frameRateAdjusted",
                message: "\(result.repeatedFrames) frames were repeated and "
                    + "\(result.droppedFrames) dropped to keep the preset's frame rate")
        ]
    }

    private func lossWarnings(_ loss: LossReport?) -> [ExportWarning] {
        guard let loss else { return [] }
        return [
            ExportWarning(
                code: "lossSalvaged",
                message: "about \(loss.lostSeconds) of the source are lost: "
                    + loss.details.joined(separator: "; "))
        ]
    }

    private func render(into partial: PartialFile) throws(ExportError) -> PassResult {
        if let limit = plan.sizeLimit {
            return try SizeLimitedRun(self, limit: limit).render(into: partial)
        }
        progress.begin(.encode, from: 0.01, to: renderEnd, total: plan.duration)
        return try renderOnce(into: partial)
    }

    /// Where in the whole's progress the rendering ends: decoding it all again takes its time.
    var renderEnd: Double { settings.verification == .full ? 0.8 : 0.96 }

    func renderOnce(
        into partial: PartialFile, rate: VideoEncoderOptions.RateControl = .quality
    ) throws(ExportError) -> PassResult {
        if let reserve = IndexReserve.bytes(plan, inputs.assets) {
            do throws(ExportError) {
                return try renderOnce(
                    into: partial, rate: rate, options: muxerOptions(reserve: reserve))
            } catch {
                // The room for the index did not do: it is told only at the very end.
                guard case .media(let fault, .mux) = error, fault.operation == .finish,
                    fault.status == .invalidArgument
                else { throw error }
                try ExportError.files(partial.truncate)
            }
        }
        return try renderOnce(into: partial, rate: rate, options: muxerOptions(reserve: nil))
    }

    private func renderOnce(
        into partial: PartialFile, rate: VideoEncoderOptions.RateControl, options: [String: String]
    ) throws(ExportError) -> PassResult {
        let muxer = try makeMuxer(partial)
        let pass = RenderPass(
            inputs, plan: plan, rate: rate, control: control, progress: progress, muxer: muxer)
        let result = try pass.run(muxerOptions: options)
        do throws(FFmpegError) {
            try muxer.finish()
        } catch {
            throw ExportError(error, .mux)
        }
        return result
    }

    private func makeMuxer(_ partial: PartialFile) throws(ExportError) -> Muxer {
        do throws(FFmpegError) {
            let muxer = try Muxer(
                format: plan.container.muxer, descriptor: partial.descriptor, path: partial.path,
                name: partial.destination)
            muxer.setMetadata(plan.metadata)
            for chapter in plan.chapters {
                try muxer.addChapter(
                    start: chapter.start, end: chapter.end, title: chapter.title)
            }
            return muxer
        } catch {
            throw ExportError(error, .mux)
        }
    }

    /// Ticks a second of the edit lists: with FFmpeg's 1,000 they would cut off a last packet of few samples.
    private var movieTimescale: Int {
        guard let audio = plan.audio.first else { return 90_000 }
        if case .encode(let encoding) = audio.mode { return encoding.sampleRate }
        let segment = audio.segments[0]
        let track = inputs.assets[segment.source].description.tracks.first {
            $0.index == segment.track
        }
        return max(1_000, track?.audio?.sampleRate ?? 48_000)
    }

    /// Either room for the index is kept in front of the media, or the muxer moves the media behind it at the end.
    private func muxerOptions(reserve: Int?) -> [String: String] {
        var options = [
            "fflags": "+bitexact", "strict": "experimental", "movie_timescale": "\(movieTimescale)",
        ]
        if let reserve {
            options["moov_size"] = String(reserve)
        } else if plan.fastStart {
            options["movflags"] = "+faststart"
        }
        return options
    }

    private func verify(_ partial: PartialFile, _ result: PassResult) throws(ExportError) {
        guard settings.verification != .none else { return }
        progress.begin(.verify, from: renderEnd, to: 0.98, total: plan.duration)
        let check = OutputCheck(
            path: partial.path, name: partial.destination, cancellation: control.cancellation,
            progress: progress)
        try check.quick(result)
        if settings.verification == .full {
            try check.full(result)
        } else if plan.copiesUnread {
            try refuseDamagedCopy(check)
        }
    }

    /// A copied track was never decoded: what is broken in it shows only now.
    private func refuseDamagedCopy(_ check: OutputCheck) throws(ExportError) {
        let found = try check.decode()
        guard !found.problems.isEmpty else { return }
        throw .sourceIncomplete(
            names,
            LossReport(
                lostSeconds: found.lostSeconds, details: found.problems, isTruncated: false))
    }

    /// Hashes the file while the system writes it to the disk.
    private func publishable(_ partial: PartialFile) throws(ExportError) -> String? {
        guard !control.cancellation.isCancelled else { throw .cancelled }
        guard settings.computesChecksum else {
            try ExportError.files(partial.synchronize)
            return nil
        }
        let group = LaneGroup()
        let digest = Locked<Result<String?, DigestError>>(.success(nil))
        group.start("takeup.digest") { [descriptor = partial.descriptor, control] in
            let found = Result { () throws(DigestError) in
                try SHA256Digest.ofFile(descriptor) { control.cancellation.isCancelled }
            }
            digest.withLock { $0 = found }
        }
        let outcome = Result { () throws(ExportError) in try ExportError.files(partial.synchronize)
        }
        group.wait()
        try outcome.get()
        switch digest.withLock({ $0 }) {
        case .success(let text): return text
        case .failure(let error):
            throw .outputFailed(partial.destination, reason: "it cannot be read again: \(error)")
        }
    }

    /// The video stands by now: that the poster does not is no failure of the export.
    private func publishPoster(_ poster: PartialFile?) -> (path: String?, warning: ExportWarning?) {
        guard let poster else { return (nil, nil) }
        do throws(FileError) {
            let published = try poster.publish(settings.overwrite.ofFile)
            return (published.path, published.warning)
        } catch {
            let reason = if case .exists = error { "the name is taken" } else { error.reason }
            return (
                nil,
                ExportWarning(
                    code: "posterNotWritten",
                    message: "the poster \(poster.destination) was not written: \(reason)")
            )
        }
    }
}

extension ContainerFormat {
    /// FFmpeg's muxer.
    var muxer: String {
        switch self {
        case .mp4: "mp4"
        case .m4a: "ipod"
        }
    }
}
