public import TakeupTimeline

/// Lowers a track of sound while another one is heard over it, such as music under speech.
///
/// The track is down when the other one begins, and up again after it has been silent: short pauses do not raise it.
public struct Ducking: Sendable, Hashable, Codable {
    /// Lowest and highest threshold: -80 dB and full scale.
    package static let thresholds = 0.0001...1.0
    /// How long a change of the volume may take, in seconds; a shorter one would click.
    package static let times = MediaTime(value: 1, timescale: 100)...MediaTime(seconds: Int64(10))

    /// Which of the composition's tracks is heard over this one, from 0.
    public var under: Int
    /// The factor of amplitude while it is heard, 0 to 1, beside the track's own volume.
    public var to: Double
    /// How long the track takes to go down before the other one is heard, and up after it.
    public var attack: MediaTime
    public var release: MediaTime
    /// From which level on the other track counts as heard: a factor of amplitude, root mean square over 10 ms.
    public var threshold: Double

    /// Without other values, -12 dB within 0.2 s and 0.5 s, from -40 dB on.
    public init(
        under: Int, to: Double = 0.251_188_643, attack: MediaTime = 0.2, release: MediaTime = 0.5,
        threshold: Double = 0.01
    ) {
        (self.under, self.to, self.threshold) = (under, to, threshold)
        (self.attack, self.release) = (attack, release)
    }

    /// Returns what is wrong with it in a track of a composition, or nil.
    ///
    /// - Parameters:
    ///   - own: Which of the tracks has it, from 0.
    ///   - tracks: All of them.
    /// - Returns: The fault, to follow the track's number.
    package func fault(of own: Int, in tracks: [Composition.Track]) -> String? {
        guard tracks[own].media != .video else { return "ducks, but has no sound" }
        guard tracks.indices.contains(under), under != own, tracks[under].media != .video else {
            return "ducks under track \(under + 1), but that may only be another track with sound"
        }
        guard (0...1).contains(to) else { return "ducks to \(to), but that may be 0 to 1" }
        guard Self.thresholds.contains(threshold) else {
            return "ducks from a threshold of \(threshold), but that may be 0.0001 to 1"
        }
        guard Self.times.contains(attack), Self.times.contains(release) else {
            return "ducks within \(attack) and \(release), but that may be 0.01 to 10 s"
        }
        return nil
    }

    /// A text that tells it apart from every other ducking, for keys.
    var key: String {
        "\(under),\(to),\(attack.value)/\(attack.timescale),\(release.value)/\(release.timescale),"
            + "\(threshold)"
    }
}

extension Ducking {
    /// Windows in which a level is measured, a second.
    package static let windowsPerSecond: Int64 = 100
    /// Windows that a sound lasts at least, to count as heard: a click does not.
    private static let leastWindows = 3

    /// Computes the volume of the track from what is heard over it.
    ///
    /// - Parameter levels: Of the other track, root mean square of each window from time 0 on.
    /// - Returns: The volume beside the track's own, with two ramps for each time that the track is down.
    package func volume(under levels: [Float]) -> Volume {
        var volume = Volume()
        for span in spans(levels) {
            volume.ramps.append(
                Volume.Ramp(start: span.start - attack, duration: attack, from: 1, to: to))
            volume.ramps.append(
                Volume.Ramp(start: span.end, duration: release, from: to, to: 1))
        }
        return volume
    }

    /// When the other track is heard; pauses in which this one could not go up and down again are left out.
    private func spans(_ levels: [Float]) -> [(start: MediaTime, end: MediaTime)] {
        var spans: [(start: MediaTime, end: MediaTime)] = []
        var first: Int?
        for place in 0...levels.count {
            let isHeard = place < levels.count && Double(levels[place]) >= threshold
            if isHeard {
                first = first ?? place
                continue
            }
            guard let begun = first else { continue }
            first = nil
            guard place - begun >= Self.leastWindows else { continue }
            let span = (start: Self.time(begun), end: Self.time(place))
            if let last = spans.last, span.start - last.end < attack + release {
                spans[spans.count - 1].end = span.end
            } else {
                spans.append(span)
            }
        }
        return spans
    }

    private static func time(_ window: Int) -> MediaTime {
        MediaTime(value: Int64(window), timescale: windowsPerSecond)
    }
}
