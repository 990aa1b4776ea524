internal import Foundation
internal import TakeupDigest
internal import TakeupFFmpeg
public import TakeupFiles
internal import TakeupLanes
internal import TakeupOutput
internal import TakeupTimeline

/// The open files that an export is written to.
public struct RenderedFiles: Sendable {
    public var output: OpenFile
    /// The still picture's, and what it is written as; nil for none.
    public var poster: (file: OpenFile, format: PosterFormat)?

    public init(output: OpenFile, poster: (file: OpenFile, format: PosterFormat)? = nil) {
        (self.output, self.poster) = (output, poster)
    }
}

/// Performs one plan: renders into a file that nobody sees, and checks it.
final class ExportRun {
    /// What a cut may fall short of its plan by: containers round, and tracks end apart.
    static let shortness = MediaTime(value: 1, timescale: 2)

    var inputs: RunInputs
    var plan: ExportPlan
    /// Makes another plan, which encodes the kinds whose copies turned out wrong, and says why.
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

    /// Fills the open files that are made for the plan; they get no names here.
    ///
    /// - Returns: What was written, once it is on the disk.
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

    /// A complete and verified file.
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
        // Each round leaves out ends of another track, or encodes another one: there are no more rounds than these.
        while !verdict.ends.isEmpty || !verdict.objections.isEmpty {
            if verdict.ends.isEmpty {
                // What is encoded now cannot be a wrong copy again.
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

    /// Renders and verifies.
    ///
    /// - Returns: What was made, and what must be made in another way.
    private func attempt(_ output: OpenFile) throws(ExportError) -> (Content, Verdict) {
        let result = try render(into: output)
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

    /// What is lost: what was counted, which is exact and may repeat what was known before, and what nothing that is
    /// there can tell.
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

    /// Refuses what cannot come out well, as far as that is known before anything is rendered.
    func refuseBeforehand() throws(ExportError) {
        if let loss = plan.loss { try refuse(loss) }
        // What is salvaged may be shorter than the plan.
        if let limit = plan.sizeLimit, limit < plan.leastBytes, settings.onTruncated == .fail {
            throw .sizeLimitTooLow(limit: limit, least: plan.leastBytes)
        }
    }

    var names: String { ExportPlan.names(plan.sources) }

    func refuse(_ loss: LossReport) throws(ExportError) {
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

    /// A planned track that came out empty is a loss, unless it has a hole where the cut lies.
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

    /// Whether the source shows pictures in a segment by its own account.
    private func isFilled(_ segment: TrackSegment) -> Bool {
        let tracks = inputs.assets[segment.source].description.tracks
        guard let track = tracks.first(where: { $0.index == segment.track }),
            let duration = track.duration
        else { return false }
        let end = min(track.startTime + duration, segment.sourceStart + segment.duration)
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
        if let limit = plan.sizeLimit {
            return try SizeLimitedRun(self, limit: limit).render(into: output)
        }
        progress.begin(.encode, from: 0.01, to: renderEnd, total: plan.duration)
        return try renderOnce(into: output)
    }

    /// Where in the whole's progress the rendering ends: decoding it all again takes its time.
    var renderEnd: Double { settings.verification == .full ? 0.8 : 0.96 }

    /// Hashes the file while the system writes it to the disk.
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
