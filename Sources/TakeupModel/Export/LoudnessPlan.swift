internal import Foundation

/// How loud sound is, as EBU R128 measures it.
public struct SoundLevels: Sendable, Equatable, Codable {
    /// True peaks below this count as this, in dBTP: silence has none.
    package static let leastPeak = -120.0

    /// Integrated loudness, in LUFS; nil for silence, and for sound shorter than 0.4 s.
    ///
    /// - Note: Source: ITU-R BS.1770-4, whose blocks last 0.4 s, and whose absolute gate is -70 LUFS.
    public var loudness: Double?
    /// Highest true peak, in dBTP.
    public var truePeak: Double

    package init(loudness: Double?, truePeak: Double) {
        self.loudness = loudness
        self.truePeak = max(truePeak, Self.leastPeak)
    }

    /// Whether the sound is as loud as wanted, and not above the ceiling.
    package func meets(target: Double, ceiling: Double) -> Bool {
        loudness.map { abs($0 - target) <= LoudnessPlan.tolerance } == true && truePeak <= ceiling
    }
}

/// How a track gets its loudness: one gain for all of its sound, and a limiter for peaks that would be too high.
public struct LoudnessPlan: Sendable, Equatable, Codable {
    /// How far the output's loudness may be from the target, in LU.
    package static let tolerance = 0.5
    /// Decibels by which the limiter may lower peaks; beyond them the whole track is softer instead.
    package static let mostLimiting = 10.0
    /// Decibels by which a track is raised at most: what is softer is noise.
    package static let mostGain = 40.0
    /// Lossy encoders can raise peaks by so many decibels.
    private static let codingRise = 3.0
    /// Loudness is corrected if it is farther from the target, in LU.
    private static let closeness = 0.2
    /// How far below the ceiling a corrected limit goes beyond what was measured, in decibels.
    private static let spare = 0.1

    /// What was asked for: LUFS, and dBTP.
    public let target: Double
    public let ceiling: Double
    /// What the sound has without the gain.
    public let source: SoundLevels
    /// Decibels by which all of the sound is raised.
    public private(set) var gain: Double
    /// Highest sample that the limiter lets pass, in dBFS; nil without a limiter.
    public private(set) var limit: Double?

    /// Decides from what was measured.
    package init(target: Double, ceiling: Double, source: SoundLevels) {
        (self.target, self.ceiling, self.source) = (target, ceiling, source)
        guard let loudness = source.loudness else {
            gain = min(0, ceiling - source.truePeak)
            return
        }
        gain = min(
            target - loudness, ceiling + Self.mostLimiting - source.truePeak, Self.mostGain)
        if source.truePeak + gain > ceiling { limit = ceiling }
    }

    /// Decibels by which the limiter lowers the highest peak.
    private var limiting: Double { limit.map { max(0, source.truePeak + gain - $0) } ?? 0 }

    /// Whether the encoded sound has to be measured.
    ///
    /// An encoder leaves out what it cannot afford, and raises peaks; the limiter changes the loudness. Sound without a
    /// loudness only has peaks.
    package var needsTrial: Bool {
        source.loudness != nil || source.truePeak + gain > ceiling - Self.codingRise
    }

    /// Whether the sound stays as it is.
    package var changesNothing: Bool { gain == 0 && limit == nil }

    /// Corrects the plan by what the encoded sound has.
    ///
    /// - Returns: nil if nothing is to be corrected.
    package func corrected(after encoded: SoundLevels) -> LoudnessPlan? {
        var next = self
        let excess = encoded.truePeak - ceiling
        if excess > 0 {
            next.limit = max(
                LoudnessPlan.leastLimit, (limit ?? ceiling) - excess - Self.spare)
        }
        if let loudness = encoded.loudness, let goal, abs(goal - loudness) > Self.closeness {
            let most = ceiling + Self.mostLimiting - source.truePeak
            next.gain = min(gain + goal - loudness, max(gain, most), Self.mostGain)
        }
        return next == self ? nil : next
    }

    /// Returns a plan that is softer by so many decibels, for sound whose peaks no limit keeps below the ceiling.
    package func lowered(by decibels: Double) -> LoudnessPlan {
        var next = self
        next.gain -= decibels
        next.limit = limit.map { max(LoudnessPlan.leastLimit, $0 - decibels) }
        return next
    }

    /// Lowest limit that FFmpeg's limiter takes, in dBFS.
    ///
    /// - Note: Source: `alimiter`, whose limit is at least 0.0625.
    private static let leastLimit = -24.0

    /// The loudness that the track can have.
    private var goal: Double? {
        source.loudness.map {
            min(target, $0 + min(ceiling + Self.mostLimiting - source.truePeak, Self.mostGain))
        }
    }

    /// What a user should know beforehand.
    package var warning: ExportWarning? {
        guard let loudness = source.loudness else {
            let text =
                source.truePeak <= SoundLevels.leastPeak
                ? "it is silent" : "it is silent or shorter than 0.4 s"
            return ExportWarning(
                code: "loudnessUnmeasured",
                message: "the sound has no loudness that could be measured, since \(text): "
                    + (gain < 0 ? "only its peaks are lowered" : "it stays as it is"))
        }
        if let goal, target - goal > Self.tolerance {
            return Self.missed(
                "the sound has \(Self.text(goal)) LUFS instead of \(Self.text(target)): it had "
                    + "\(Self.text(loudness)), and its peaks leave no more")
        }
        guard limiting > Self.tolerance else { return nil }
        return ExportWarning(
            code: "loudnessLimited",
            message:
                "the sound reaches \(Self.text(target)) LUFS only with a limiter, which lowers "
                + "its peaks by up to \(Self.text(limiting)) dB")
    }

    /// The code of a warning that the sound has another loudness than was asked for.
    package static let missedCode = "loudnessMissed"

    package static func missed(_ message: String) -> ExportWarning {
        ExportWarning(code: missedCode, message: message)
    }

    /// A number with one decimal, with a sign where `signed`.
    package static func text(_ value: Double, signed: Bool = false) -> String {
        let tenths = Int((abs(value) * 10).rounded())
        let sign = value < 0 && tenths > 0 ? "-" : signed ? "+" : ""
        return "\(sign)\(tenths / 10).\(tenths % 10)"
    }

    package var json: JSONValue {
        [
            "target": .number(target), "ceiling": .number(ceiling),
            "loudness": .measured(source.loudness), "truePeak": .measured(source.truePeak),
            "gain": .measured(gain), "limited": .flag(limit != nil),
        ]
    }
}
