internal import Foundation
internal import TakeupFFmpeg
internal import TakeupFiles
internal import TakeupOutput
internal import TakeupTimeline

/// Renders a file that does not exceed a size limit.
///
/// The steps, until one fits:
///
/// - Render at the preset's quality, and stop once the file exceeds the limit.
/// - Measure the sound, then encode the pictures at the remaining bit rate, in two passes if the
///   encoder supports them. Repeat with a lower rate if the result is too large.
/// - Repeat this with sound of the lowest useful bit rate.
/// - Use the coarsest pictures, which give the smallest possible file, identical on every run.
struct SizeLimitedRun {
    /// Target of the pictures as a fraction of their budget, because rate control deviates.
    ///
    /// - Note: Source: x264's two passes landed up to 2.3 % above their target on noise.
    private static let aim = 0.975
    /// Number of tries after the first; each one scales the bit rate by the previous miss.
    private static let corrections = 3
    /// Lowest bit rate that encoders can target, in bits per second.
    private static let leastBitRate = 1_000
    /// Bits per second below which most pictures are useless.
    private static let usefulBitRate = 10_000
    /// Bits per second above which nothing changes; encoders use 32-bit numbers.
    private static let mostBitRate = 2e9
    /// Fraction of the total progress at which a first attempt that will likely fail ends.
    private static let attemptEnd = 0.2
    /// Bytes of the container's header, and bytes of its index per packet.
    private static let headerBytes: Int64 = 4_096
    private static let indexBytes: Int64 = 16

    let run: ExportRun
    let limit: Int64

    init(_ run: ExportRun, limit: Int64) {
        self.run = run
        self.limit = limit
    }

    func render(into output: OpenFile) throws(ExportError) -> PassResult {
        guard let video = run.plan.video, case .encode(let encoding) = video.mode else {
            return try renderPlain(into: output)
        }
        if let result = try renderAtQuality(into: output) { return result }
        repeat {
            let sound = try measureSound()
            let budget = limit - sound - Self.overhead(run.plan, encoding)
            let bitRate = Double(budget) * 8 / Self.seconds(run.plan) * Self.aim
            if bitRate >= Double(Self.leastBitRate),
                let result = try render(
                    into: output, bitRate: min(Self.mostBitRate, bitRate),
                    analyses: VideoEncoderOptions.hasTwoPasses(encoding.encoder))
            {
                return result
            }
        } while try lowerSound()
        return try renderSmallest(into: output, .least)
    }

    /// - Returns: Whether the sound has a lower rate now.
    private func lowerSound() throws(ExportError) -> Bool {
        guard let plan = run.plan.withLeastSound(run.inputs.assets) else { return false }
        run.plan = plan
        try run.tuneLoudness()
        return true
    }

    /// Returns the size of an output with pictures at the lowest useful bit rate and `sound` bytes
    /// in other tracks.
    ///
    /// Simple pictures may need fewer bytes.
    static func usual(_ plan: ExportPlan, _ encoding: VideoEncoding, sound: Int64) -> Int64 {
        let pictures = Double(usefulBitRate) / 8 / aim * seconds(plan)
        return sound + overhead(plan, encoding) + ExportPlan.whole(pictures) + 1
    }

    private static func seconds(_ plan: ExportPlan) -> Double { max(0.1, plan.duration.seconds) }

    private static func overhead(_ plan: ExportPlan, _ encoding: VideoEncoding) -> Int64 {
        let frames = (encoding.frameRate?.doubleValue ?? 30) * seconds(plan)
        return headerBytes + ExportPlan.whole(frames * Double(indexBytes))
    }

    /// Renders as if there were no limit.
    ///
    /// - Returns: nil if the file exceeds the limit.
    private func renderAtQuality(into output: OpenFile) throws(ExportError) -> PassResult? {
        let fits = run.plan.qualityBytes.map { $0 <= limit }
        run.progress.begin(
            .encode, from: 0.01, to: fits == true ? run.renderEnd : Self.attemptEnd,
            total: run.plan.duration)
        do throws(ExportError) {
            let result = try run.renderOnce(into: output, byteLimit: limit)
            return output.byteCount <= limit ? result : nil
        } catch .sizeLimitUnreachable {
            return nil
        }
    }

    /// Renders the pictures at the remaining bit rate, and at lower ones if the file is too large.
    ///
    /// - Returns: nil if every try exceeded the limit.
    private func render(
        into output: OpenFile, bitRate: Double, analyses: Bool
    ) throws(ExportError) -> PassResult? {
        // If no temporary file can be written, as in a sealed process, use one pass.
        let statistics = analyses ? StatisticsFolder() : nil
        var bitRate = bitRate
        let steps = Double(Self.corrections + 2)
        let start = Self.attemptEnd + 0.05
        let span = run.renderEnd - start
        if let statistics { try analyse(bitRate, statistics.file, start, to: start + span / steps) }
        for attempt in 0...Self.corrections {
            guard Int(bitRate) >= Self.leastBitRate else { break }
            try ExportError.files(output.truncate)
            run.progress.begin(
                .encode, from: start + span * Double(attempt + 1) / steps,
                to: attempt == 0 ? run.renderEnd * 0.8 : run.renderEnd, total: run.plan.duration)
            let result = try run.renderOnce(
                into: output,
                rate: .average(
                    bitRate: Int(bitRate), pass: statistics == nil ? .only : .second,
                    statistics: statistics?.file ?? ""))
            let bytes = output.byteCount
            if bytes <= limit { return noting(analyses && statistics == nil, in: result) }
            let excess = Double(bytes - limit) + Double(limit) * 0.01
            bitRate = max(
                bitRate * 0.25, bitRate - excess * 8 / max(0.1, run.plan.duration.seconds))
        }
        return nil
    }

    private func noting(_ lacksAnalysis: Bool, in result: PassResult) -> PassResult {
        guard lacksAnalysis else { return result }
        var result = result
        result.warnings.append(
            ExportWarning(
                code: "onePass",
                message: "the size limit was kept in one pass instead of two: there is no folder"
                    + " for temporary files"))
        return result
    }

    /// Runs the first of two passes, in which the encoder learns where bits are needed.
    private func analyse(
        _ bitRate: Double, _ statistics: String, _ start: Double, to end: Double
    ) throws(ExportError) {
        run.progress.begin(.analyse, from: start, to: end, total: run.plan.duration)
        let pass = RenderPass(
            run.inputs, plan: run.plan,
            rate: .average(bitRate: Int(bitRate), pass: .first, statistics: statistics),
            keepsAudio: false, control: run.control, progress: run.progress, muxer: nil)
        _ = try pass.run(muxerOptions: [:])
    }

    /// Measures the bytes of all sound and text, by encoding them once.
    private func measureSound() throws(ExportError) -> Int64 {
        guard !run.plan.audio.isEmpty else { return 0 }
        run.progress.begin(
            .analyse, from: Self.attemptEnd, to: Self.attemptEnd + 0.05, total: run.plan.duration)
        var plan = run.plan
        plan.video = nil
        let pass = RenderPass(
            run.inputs, plan: plan, control: run.control, progress: run.progress, muxer: nil)
        let result = try pass.run(muxerOptions: [:])
        let packets = result.written.map(\.packets).reduce(0, +)
        return result.payloadBytes + Int64(packets) * Self.indexBytes
    }

    /// Renders copied tracks or sound alone; their size is fixed unless the sound gets a lower
    /// rate.
    private func renderPlain(into output: OpenFile) throws(ExportError) -> PassResult {
        run.progress.begin(.encode, from: 0.01, to: run.renderEnd, total: run.plan.duration)
        return try renderSmallest(into: output, .quality)
    }

    /// Renders, and renders again with less sound if the file exceeds the limit.
    ///
    /// - Throws: `.sizeLimitUnreachable` with the size of the smaller file.
    private func renderSmallest(
        into output: OpenFile, _ rate: VideoEncoderOptions.RateControl
    ) throws(ExportError) -> PassResult {
        while true {
            try ExportError.files(output.truncate)
            if rate == .least {
                run.progress.begin(
                    .encode, from: run.renderEnd * 0.9, to: run.renderEnd, total: run.plan.duration)
            }
            var result = try run.renderOnce(into: output, rate: rate)
            if output.byteCount <= limit {
                if rate == .least { result.warnings.append(Self.coarsePictures) }
                return result
            }
            let bytes = output.byteCount
            guard try lowerSound() else {
                throw .sizeLimitUnreachable(limit: limit, smallest: bytes)
            }
            if rate != .least { run.progress.again() }
        }
    }

    private static let coarsePictures = ExportWarning(
        code: "coarsePictures",
        message: "the size limit leaves so little that the pictures have the lowest quality there "
            + "is")
}
