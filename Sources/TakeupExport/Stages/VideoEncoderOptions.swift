internal import TakeupFFmpeg
internal import TakeupTimeline

/// Builds the settings of a video encoder from a plan.
struct VideoEncoderOptions {
    let encoding: VideoEncoding
    let preset: VideoSettings
    /// How bits are allocated.
    let rate: RateControl

    enum RateControl: Equatable {
        /// The preset's constant quality, with its bit rate limit.
        case quality
        /// Average bits per second, in the first or second of two passes with a statistics file.
        case average(bitRate: Int, pass: EncoderSettings.Pass, statistics: String)
        /// As few bits as the encoder can use, the same on every run.
        case least
    }

    /// The coarsest quantisers for every picture type; beyond 51, x264 and x265 drop coefficients.
    private static let coarsestH264 = "qp=69:ipratio=1:pbratio=1"
    private static let coarsestHEVC = ["crf=51", "qpmin=69", "qpmax=69"]
    private static let coarsestAV1 = (crf: "63", parameter: "use-fixed-qindex-offsets=1")

    /// Returns whether an encoder supports two passes.
    static func hasTwoPasses(_ encoder: String) -> Bool { encoder != "libsvtav1" }

    func settings() throws(FFmpegError) -> EncoderSettings {
        guard let format = PixelFormat(named: encoding.pixelFormat) else {
            throw FFmpegError(
                .openEncoder, status: .invalidArgument, subject: encoding.pixelFormat)
        }
        var settings = EncoderSettings(
            encoder: encoding.encoder,
            timeBase: TimeBase(1, Int32(clamping: encoding.timing.timescale)))
        settings.picture = EncoderSettings.Picture(
            width: encoding.width, height: encoding.height, pixelFormat: format,
            frameRate: encoding.frameRate, color: encoding.color.description)
        settings.keyFrameInterval = encoding.keyFrameInterval
        settings.threads = encoding.threads
        settings.options["preset"] = preset.speed
        if let tune = preset.tune { settings.options["tune"] = tune }
        switch rate {
        case .quality:
            settings.options["crf"] = Self.decimal(preset.crf)
            if let most = preset.maxBitRate, encoding.encoder != "libsvtav1" {
                settings.maxBitRate = most
                settings.bufferBits = Int(Double(most) * preset.bufferSeconds)
            }
        case .average(let bitRate, let pass, _):
            settings.bitRate = bitRate
            settings.pass = encoding.encoder == "libx264" ? pass : .only
        case .least:
            if encoding.encoder == "libsvtav1" { settings.options["crf"] = Self.coarsestAV1.crf }
        }
        addOwn(to: &settings)
        match(&settings)
        return settings
    }

    /// Adapts the stream to the copied parts of its track; without reordering, its decoding times are its presentation
    /// times.
    private func match(_ settings: inout EncoderSettings) {
        guard let match = encoding.match else { return }
        settings.picture?.statesAspect = match.statesAspect
        settings.maxBitRate = match.maxBitRate
        settings.bufferBits = match.bufferBits
        settings.options["profile"] = match.profile
        settings.options["x264-params"] =
            "sps-id=\(match.setID):level=\(match.level):ref=\(match.references):bframes=0"
    }

    private func addOwn(to settings: inout EncoderSettings) {
        switch encoding.encoder {
        case "libx264":
            if let profile = preset.profile { settings.options["profile"] = profile }
            if case .average(_, let pass, let statistics) = rate, pass != .only {
                settings.options["stats"] = statistics
            }
            if rate == .least {
                settings.options["x264-params"] = Self.coarsestH264
            }
        case "libx265":
            if let profile = preset.profile { settings.options["profile"] = profile }
            settings.options["x265-params"] = x265Parameters.joined(separator: ":")
        case "libsvtav1":
            settings.options["svtav1-params"] = svtParameters.joined(separator: ":")
        default: break
        }
    }

    private var x265Parameters: [String] {
        var parameters = ["log-level=error"]
        if case .average(_, let pass, let statistics) = rate {
            if pass == .first { parameters += ["pass=1", "stats=\(statistics)"] }
            if pass == .second { parameters += ["pass=2", "stats=\(statistics)"] }
        }
        if rate == .least { parameters += Self.coarsestHEVC }
        if encoding.color.transfer == "smpte2084" { parameters += ["hdr10=1", "repeat-headers=1"] }
        if let hdr = encoding.hdr {
            if let display = masteringDisplay(hdr, luminanceScale: 10_000, chromaScale: 50_000) {
                parameters.append("master-display=\(display)")
            }
            if let light = hdr.maximumContentLightLevel {
                parameters.append("max-cll=\(light),\(hdr.maximumFrameAverageLightLevel ?? 0)")
            }
        }
        return parameters
    }

    private var svtParameters: [String] {
        var parameters = ["enable-hdr=\(encoding.color.isHDR ? 1 : 0)"]
        if case .average = rate { parameters.append("rc=1") }
        if rate == .least { parameters.append(Self.coarsestAV1.parameter) }
        guard let hdr = encoding.hdr else { return parameters }
        if let display = masteringDisplayDecimal(hdr) {
            parameters.append("mastering-display=\(display)")
        }
        if let light = hdr.maximumContentLightLevel {
            parameters.append("content-light=\(light),\(hdr.maximumFrameAverageLightLevel ?? 0)")
        }
        return parameters
    }

    /// - Note: Source: x265's documentation: chromaticities in 0.00002, luminance in 0.0001 cd/m².
    private func masteringDisplay(
        _ hdr: HDRMetadata, luminanceScale: Double, chromaScale: Double
    ) -> String? {
        guard hdr.chromaticities.count == 8, let least = hdr.minimumLuminance,
            let most = hdr.maximumLuminance
        else { return nil }
        let points = hdr.chromaticities.map { Int(($0.doubleValue * chromaScale).rounded()) }
        let low = Int((least.doubleValue * luminanceScale).rounded())
        let high = Int((most.doubleValue * luminanceScale).rounded())
        return
            "G(\(points[2]),\(points[3]))B(\(points[4]),\(points[5]))R(\(points[0]),\(points[1]))"
            + "WP(\(points[6]),\(points[7]))L(\(high),\(low))"
    }

    /// - Note: Source: SVT-AV1's parameter guide: plain decimals.
    private func masteringDisplayDecimal(_ hdr: HDRMetadata) -> String? {
        guard hdr.chromaticities.count == 8, let least = hdr.minimumLuminance,
            let most = hdr.maximumLuminance
        else { return nil }
        let points = hdr.chromaticities.map { Self.decimal($0.doubleValue) }
        return
            "G(\(points[2]),\(points[3]))B(\(points[4]),\(points[5]))R(\(points[0]),\(points[1]))"
            + "WP(\(points[6]),\(points[7]))L(\(Self.decimal(most.doubleValue)),\(Self.decimal(least.doubleValue)))"
    }

    private static func decimal(_ value: Double) -> String {
        let scaled = Int((value * 10_000).rounded())
        let fraction = String(abs(scaled) % 10_000)
        let padded = String(repeating: "0", count: 4 - fraction.count) + fraction
        return "\(scaled / 10_000).\(padded)"
    }
}
