internal import TakeupTimeline

extension ExportPlanner {
    /// Pictures per second of parts that a timeline speeds up, unless the preset has a limit.
    ///
    /// Screens show no more.
    private static let fastest = 120.0

    mutating func timing(_ tracks: [PlayedTrack], _ wanted: VideoSettings) -> FrameTimingPlan {
        let traits = tracks.compactMap(\.track.video)
        let grids = traits.map { $0.frameRateMode == .constant ? $0.plausibleRate : nil }
        let isEven = Set(grids).count == 1
        if hastened(tracks) == .infinity { losses.insert(.frames) }
        if wanted.frameRateMode == .constant {
            let rate =
                wanted.frameRate.map { Ratio(Int64($0.numerator), Int64($0.denominator)) }
                ?? traits[0].plausibleRate ?? Ratio(30, 1)
            decide(
                "frame rate", "constant \(rate)", because: "the preset \(preset.name) asks for it")
            return FrameTimingPlan(
                timescale: Timescale.of(rate: rate), grid: nil, constantRate: rate,
                maximumRate: wanted.maxFrameRate)
        }
        let isOwn = tracks.allSatisfy { $0.speed == nil }
        if isEven, let grid = grids[0] {
            decide(
                "frame rate", "\(grid)",
                because: isOwn
                    ? "as the source, which is even"
                    : "as the source, which is even, at the timeline's speed")
            return FrameTimingPlan(
                timescale: Timescale.of(rate: grid), grid: grid, constantRate: nil,
                maximumRate: limit(tracks, wanted))
        }
        decide(
            "frame rate", "variable",
            because: isOwn
                ? "every frame keeps its own time"
                : "every frame keeps its own time, at the timeline's speed")
        let scales = tracks.map(\.track).map { track in
            let isEven = track.video?.frameRateMode == .constant
            let rate = isEven ? track.video?.plausibleRate : nil
            return rate.map(Timescale.of(rate:)) ?? Timescale.of(timeBase: track.timeBase)
        }
        return FrameTimingPlan(
            timescale: Timescale.common(scales), grid: nil, constantRate: nil,
            maximumRate: limit(tracks, wanted))
    }

    /// Returns the limit of pictures per second; nil for none.
    private mutating func limit(_ tracks: [PlayedTrack], _ wanted: VideoSettings) -> Double? {
        guard wanted.maxFrameRate == nil, let rate = hastened(tracks), rate > Self.fastest else {
            return wanted.maxFrameRate
        }
        let others = tracks.filter { $0.speed == nil }
            .compactMap { $0.track.video?.plausibleRate?.doubleValue }
        let limit = max(Self.fastest, others.max() ?? 0)
        decide(
            "frame rate limit", "\(Int(limit.rounded()))",
            because: "the timeline speeds pictures up, and screens show no more of them")
        losses.insert(.frames)
        return limit
    }

    /// Returns the rate for the encoder; with a timeline's speeds the highest, so that limits of the
    /// bit rate hold.
    func nominalRate(_ tracks: [PlayedTrack], _ timing: FrameTimingPlan) -> Ratio? {
        if let rate = timing.constantRate ?? timing.grid { return rate }
        guard tracks.contains(where: { $0.speed != nil }) else {
            return tracks.first?.track.video?.plausibleRate
        }
        let most = timing.maximumRate.map { Ratio(max(1, Int64($0)), 1) }
        let highest = tracks.compactMap(\.track.video?.plausibleRate)
            .max { $0.doubleValue < $1.doubleValue }
        guard hastened(tracks) != .infinity, let highest else { return most }
        guard let most, most.doubleValue < highest.doubleValue else { return highest }
        return most
    }

    /// Returns the highest rate of the parts that a timeline speeds up; infinite if it is unknown.
    private func hastened(_ tracks: [PlayedTrack]) -> Double? {
        tracks.filter { $0.speed.map { $0.doubleValue > 1 } ?? false }
            .map { $0.track.video?.plausibleRate?.doubleValue ?? .infinity }.max()
    }
}

/// A track as a timeline plays it: its rate and its times are those in the output.
struct PlayedTrack {
    let track: AssetTrack
    let speed: Ratio?
    /// Whether it is one picture alone.
    var isStill = false

    init(_ track: AssetTrack, at speed: Ratio?) {
        var played = track
        if let speed {
            played.timeBase = track.timeBase.times(Ratio(speed.denominator, speed.numerator))
            played.video?.averageFrameRate = track.video?.averageFrameRate?.times(speed)
            played.video?.nominalFrameRate = track.video?.nominalFrameRate?.times(speed)
        }
        (self.track, self.speed) = (played, speed)
    }
}

extension Ratio {
    /// Returns the product in lowest terms, or rounded if its terms do not fit.
    func times(_ other: Ratio) -> Ratio {
        let time = MediaTime(value: numerator, timescale: denominator).taken(at: other)
        return Ratio(time.value, time.timescale)
    }
}

extension VideoTraits {
    /// The frame rate; nil if the container's numbers are unreasonable.
    var plausibleRate: Ratio? {
        [
            frameRateMode == .constant ? nominalFrameRate : averageFrameRate, averageFrameRate,
            nominalFrameRate,
        ]
        .compactMap { $0 }.first { (0.1...300).contains($0.doubleValue) }
    }
}
