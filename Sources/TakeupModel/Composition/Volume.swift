public import TakeupTimeline

/// How loud a track is over time, as AVFoundation's audio mix says it: linear factors of amplitude.
///
/// `level` holds up to the first ramp, a ramp goes evenly from one factor to another, and its last factor holds up to the
/// next ramp. Where a ramp begins with another factor than the one before, the volume jumps. Times count on the track;
/// edits of the track's segments do not move them.
public struct Volume: Sendable, Hashable, Codable {
    /// An even change of the volume.
    public struct Ramp: Sendable, Hashable, Codable {
        public var start: MediaTime
        public var duration: MediaTime
        public var from: Double
        public var to: Double

        public init(start: MediaTime, duration: MediaTime, from: Double, to: Double) {
            (self.start, self.duration, self.from, self.to) = (start, duration, from, to)
        }

        public var end: MediaTime { start + duration }
    }

    /// Highest factor: +20 dB.
    ///
    /// - Note: Source: the range of GStreamer's `volume`.
    public static let most = 10.0
    /// Highest number of ramps of a track.
    public static let mostRamps = 10_000

    /// The factor before the first ramp.
    public var level: Double
    /// In order; none begins before the one before ends.
    public var ramps: [Ramp]

    public init(_ level: Double = 1, ramps: [Ramp] = []) {
        (self.level, self.ramps) = (level, ramps)
    }

    /// Whether it leaves every sound as it is.
    public var isFull: Bool { level == 1 && ramps.allSatisfy { $0.from == 1 && $0.to == 1 } }

    /// Returns the factor at a time.
    ///
    /// - Complexity: O(*n*), for *n* ramps.
    public func level(at time: MediaTime) -> Double {
        guard let ramp = ramps.last(where: { $0.start <= time }) else { return level }
        guard time < ramp.end else { return ramp.to }
        let share = (time - ramp.start).seconds / ramp.duration.seconds
        return ramp.from + (ramp.to - ramp.from) * share
    }

    /// Returns the same volume on a clock whose zero is at a time of this one.
    package func counted(from zero: MediaTime) -> Volume {
        var moved = self
        for place in moved.ramps.indices { moved.ramps[place].start = ramps[place].start - zero }
        return moved
    }

    /// Returns whether a factor is a number from 0 to the highest.
    package static func permits(_ level: Double) -> Bool { level >= 0 && level <= most }

    /// Returns what is wrong, or nil.
    package var fault: String? {
        guard Self.permits(level) else { return "has a volume of \(level), but it may be 0 to 10" }
        if ramps.count > Self.mostRamps { return "has more than \(Self.mostRamps) ramps" }
        var end = MediaTime.zero
        for (place, ramp) in ramps.enumerated() {
            let name = "ramp \(place + 1)"
            guard ramp.duration > .zero else { return "has a \(name) that lasts no time" }
            guard ramp.start >= end else {
                return place == 0
                    ? "has a \(name) that begins before 0"
                    : "has a \(name) that begins before the one before it ends"
            }
            guard Self.permits(ramp.from), Self.permits(ramp.to) else {
                return "has a \(name) from \(ramp.from) to \(ramp.to), but it may be 0 to 10"
            }
            end = ramp.end
        }
        return nil
    }

    /// A text that tells it apart from every other volume, for keys.
    var key: String {
        func text(_ time: MediaTime) -> String { "\(time.value)/\(time.timescale)" }
        return
            ([("\(level)")]
            + ramps.map { "\(text($0.start)),\(text($0.duration)),\($0.from),\($0.to)" })
            .joined(separator: ";")
    }
}

extension Volume: CustomStringConvertible {
    public var description: String {
        let rounded = "\((level * 1000).rounded() / 1000)"
        guard !ramps.isEmpty else { return rounded }
        return "\(rounded), \(ramps.count) \(ramps.count == 1 ? "ramp" : "ramps")"
    }
}
