internal import Foundation
internal import TakeupDigest
internal import TakeupFFmpeg
public import TakeupFiles
internal import TakeupLanes
internal import TakeupOutput
internal import TakeupTimeline

/// The open files that an export writes.
public struct RenderedFiles: Sendable {
    public var output: OpenFile
    /// The file and format of the still picture; nil for none.
    public var poster: (file: OpenFile, format: PosterFormat)?

    public init(output: OpenFile, poster: (file: OpenFile, format: PosterFormat)? = nil) {
        (self.output, self.poster) = (output, poster)
    }
}

/// Performs one plan: renders into an unpublished file and checks the file.
final class ExportRun {
    /// How much shorter than its plan a cut may be: containers round, and tracks end at different
    /// times.
    static let shortness = MediaTime(value: 1, timescale: 2)

    var inputs: RunInputs
    var plan: ExportPlan
    /// Makes a new plan that encodes the kinds of tracks with wrong copies, given the reasons.
    private let replan: ([MediaType: String]) throws(ExportError) -> ExportPlan
    let settings: ExportSettings
    let control: RunControl
    let progress: ProgressMeter

    init(
        _ inputs: RunInputs, plan: ExportPlan, settings: ExportSettings,
        cancellation: Cancellation, progress: ProgressMeter,
        replan: @escaping ([MediaType: String]) throws(ExportError) -> ExportPlan
    ) {
        self.inputs = inputs
        self.plan = plan
        self.replan = replan
        self.settings = settings
        control = RunControl(cancellation)
        self.progress = progress
    }

    /// Fills the open files that were created for the plan, without publishing them.
    ///
    /// - Returns: The report, once everything is on disk.
    func perform(into files: RenderedFiles) throws(ExportError) -> ExportReport {
        let began = ContinuousClock.now
        try ExportError.files(files.output.truncate)
        let content = try fill(files.output)
        if let (poster, format) = files.poster {
            try PosterMaker(
                video: files.output, format: format, cancellation: control.cancellation
            ).write(to: poster, duration: content.duration)
        }
        guard !control.cancellation.isCancelled else { throw .cancelled }
        return report(content, began)
    }

    /// Facts of a complete and verified file.
    private struct Content {
        let name: String
        let bytes: Int64
        let duration: MediaTime
        let result: PassResult
        let loss: LossReport?
        var digest: String?
    }

    private func fill(_ output: OpenFile) throws(ExportError) -> Content {
        var (content, verdict) = try attempt(output)
        var objections: [MediaType: String] = [:]
        // Each round trims another track's ends or encodes another track, so the number of rounds
        // is limited.
        while !verdict.ends.isEmpty || !verdict.objections.isEmpty {
            if verdict.ends.isEmpty {
                // A track that is now encoded cannot be a wrong copy again.
                let again = verdict.objections.filter { objections[$0.key] != nil }
                guard again.isEmpty else {
                    throw .verificationFailed(
                        output.name, reason: again.values.joined(separator: "; "))
                }
                objections.merge(verdict.objections) { $1 }
                plan = try replan(objections)
            }
            leaveOut(verdict.ends)
            try ExportError.files(output.truncate)
            (content, verdict) = try attempt(output)
        }
        progress.begin(.finish, from: 0.98, to: 1)
        content.digest = try publishable(output)
        return content
    }

    /// Renders and verifies once.
    ///
    /// - Returns: The content, and what must be made in another way.
    private func attempt(_ output: OpenFile) throws(ExportError) -> (Content, Verdict) {
        let result = try render(into: output)
        if let fault = result.partFault {
            let content = Content(
                name: output.name, bytes: 0, duration: .zero, result: result, loss: nil)
            return (content, Verdict(objections: [.video: fault]))
        }
        let refusals = CopyProof(plan: plan, result: result).refusals
        let loss = loss(result, counted: LossReport.beside(result.losses + refusals))
        if let loss { try refuse(loss) }
        guard result.written.contains(where: { $0.packets > 0 }) else {
            throw .unsupported(names, reason: "nothing in it could be decoded")
        }
        try refuseMissingTracks(result)
        if loss == nil, settings.verification != .none,
            let fault = plan.brokenPromise(result.written, frames: result.frames)
        {
            throw .verificationFailed(names, reason: fault)
        }
        let verdict = try verify(output, result, isSalvaged: loss != nil)
        let content = Content(
            name: output.name, bytes: output.byteCount,
            duration: result.written.compactMap(\.end).max() ?? .zero, result: result,
            loss: verdict.damage.map { self.loss(result, counted: $0) } ?? loss)
        return (content, verdict)
    }

    /// Returns the whole loss.
    ///
    /// The report joins the exact count of this run, which may repeat known losses, with the losses
    /// that existing packets cannot show.
    private func loss(_ result: PassResult, counted: LossReport?) -> LossReport? {
        let whole =
            counted.map { [plan.absent, $0].compactMap(\.self) }.flatMap(LossReport.inTurn)
            ?? plan.loss
        return LossReport.beside([whole].compactMap(\.self) + shortRange(result))
    }

    private func report(
        _ content: Content, _ began: ContinuousClock.Instant
    ) -> ExportReport {
        progress.begin(.finish, from: 1, to: 1)
        let result = content.result
        return ExportReport(
            output: content.name, bytes: content.bytes, duration: content.duration,
            frames: result.frames, sha256: content.digest,
            seconds: (ContinuousClock.now - began) / .seconds(1),
            warnings: plan.warnings + result.warnings + rateWarnings(result)
                + endWarnings + lossWarnings(content.loss),
            loss: content.loss)
    }

    /// Throws if the export cannot succeed, as far as known before rendering.
    func refuseBeforehand() throws(ExportError) {
        if let loss = plan.loss { try refuse(loss) }
        // A salvaged export may be shorter than the plan, so the limit may suffice.
        if let limit = plan.sizeLimit, limit < plan.leastBytes, settings.onTruncated == .fail {
            throw .sizeLimitTooLow(limit: limit, least: plan.leastBytes)
        }
    }

    var names: String { ExportPlan.names(plan.sources) }

    func refuse(_ loss: LossReport) throws(ExportError) {
        guard settings.onTruncated == .fail else { return }
        throw .sourceIncomplete(names, loss)
    }

    /// Reports a range that the source does not fill, although its header promised to.
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

    /// Throws if a planned track came out empty, unless a reception gap explains the empty cut.
    private func refuseMissingTracks(_ result: PassResult) throws(ExportError) {
        let planned =
            (plan.video.map { [($0.segments, "video")] } ?? [])
            + plan.audio.map { ($0.segments, "audio") }
        for ((segments, name), written) in zip(planned, result.written) {
            guard written.packets == 0,
                segments.contains(where: { $0.isWhole || name == "video" && isFilled($0) })
            else { continue }
            throw .verificationFailed(
                names, reason: "its \(name) track is empty, though the source has one")
        }
    }

    /// Returns whether, according to the source's facts, a segment contains pictures.
    private func isFilled(_ segment: TrackSegment) -> Bool {
        let tracks = inputs.assets[segment.source].description.tracks
        guard let track = tracks.first(where: { $0.index == segment.track }),
            let duration = track.duration
        else { return false }
        let end = min(track.startTime + duration, segment.sourceStart + segment.ownDuration)
        return end - max(track.startTime, segment.sourceStart) > Self.shortness
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
                message: "\(loss.extent) lost of the source: "
                    + loss.details.joined(separator: "; "))
        ]
    }

    private func render(into output: OpenFile) throws(ExportError) -> PassResult {
        try tuneLoudness()
        if let limit = plan.sizeLimit {
            return try SizeLimitedRun(self, limit: limit).render(into: output)
        }
        progress.begin(.encode, from: 0.01, to: renderEnd, total: plan.duration)
        return try renderOnce(into: output)
    }

    /// Fraction of the total progress at which rendering ends; the full verification needs the
    /// rest.
    var renderEnd: Double { settings.verification == .full ? 0.8 : 0.96 }

    /// Hashes the file while the system writes it to disk.
    private func publishable(_ output: OpenFile) throws(ExportError) -> String? {
        guard !control.cancellation.isCancelled else { throw .cancelled }
        guard settings.computesChecksum else {
            try ExportError.files(output.synchronize)
            return nil
        }
        let group = LaneGroup()
        let digest = Locked<Result<String?, DigestError>>(.success(nil))
        group.start("takeup.digest") { [descriptor = output.descriptor, control] in
            let found = Result { () throws(DigestError) in
                try SHA256Digest.ofFile(descriptor) { control.cancellation.isCancelled }
            }
            digest.withLock { $0 = found }
        }
        let outcome = Result { () throws(ExportError) in try ExportError.files(output.synchronize)
        }
        group.wait()
        try outcome.get()
        switch digest.withLock({ $0 }) {
        case .success(let text): return text
        case .failure(let error):
            throw .outputFailed(output.name, reason: "it cannot be read again: \(error)")
        }
    }
}
