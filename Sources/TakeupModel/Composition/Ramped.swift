public import TakeupTimeline

/// What can change evenly.
public protocol Rampable: Sendable, Hashable, Codable {
    /// Returns what lies a part of the way from this value, at 0, to another one, at 1.
    func moved(towards other: Self, by share: Double) -> Self
    /// Its numbers, in a fixed order.
    var numbers: [Double] { get }
}

/// A value over time: `value` holds up to the first ramp, a ramp goes evenly from one value to another, and its last value
/// holds up to the next ramp.
///
/// Where a ramp begins with another value than the one before, the value jumps.
public struct Ramped<Value: Rampable>: Sendable, Hashable, Codable {
    /// An even change.
    public struct Ramp: Sendable, Hashable, Codable {
        public var start: MediaTime
        public var duration: MediaTime
        public var from: Value
        public var to: Value

        public init(start: MediaTime, duration: MediaTime, from: Value, to: Value) {
            (self.start, self.duration, self.from, self.to) = (start, duration, from, to)
        }

        public var end: MediaTime { start + duration }
    }

    /// The value before the first ramp.
    public var value: Value
    /// In order; none begins before the one before ends.
    public var ramps: [Ramp]

    public init(_ value: Value, ramps: [Ramp] = []) { (self.value, self.ramps) = (value, ramps) }

    /// Whether it never changes.
    public var isConstant: Bool { ramps.allSatisfy { $0.from == value && $0.to == value } }

    /// All values that it begins, holds or ends with.
    package var corners: [Value] { [value] + ramps.flatMap { [$0.from, $0.to] } }

    /// Returns the value at a time.
    ///
    /// - Complexity: O(*n*), for *n* ramps.
    public func value(at time: MediaTime) -> Value {
        guard let ramp = ramps.last(where: { $0.start <= time }) else { return value }
        guard time < ramp.end else { return ramp.to }
        return ramp.from.moved(
            towards: ramp.to, by: (time - ramp.start).seconds / ramp.duration.seconds)
    }

    /// Returns the same on a clock whose zero is at a time of this one.
    package func counted(from zero: MediaTime) -> Self {
        var moved = self
        for place in moved.ramps.indices { moved.ramps[place].start = ramps[place].start - zero }
        return moved
    }

    /// Returns what is wrong with the value of that name, or nil.
    ///
    /// `limits` says what a value may be; nil for one that may be.
    package func fault(_ name: String, _ limits: (Value) -> String?) -> String? {
        if let fault = limits(value) { return "has \(name) \(fault)" }
        if ramps.count > Volume.mostRamps {
            return "has more than \(Volume.mostRamps) ramps of its \(name)"
        }
        var end: MediaTime?
        for (place, ramp) in ramps.enumerated() {
            let words = "\(name) whose ramp \(place + 1)"
            guard ramp.duration > .zero else { return "has \(words) lasts no time" }
            guard ramp.start >= end ?? .zero else {
                return end == nil
                    ? "has \(words) begins before 0"
                    : "has \(words) begins before the one before it ends"
            }
            if let fault = limits(ramp.from) ?? limits(ramp.to) { return "has \(words) \(fault)" }
            end = ramp.end
        }
        return nil
    }

    /// A text that tells it apart from every other value, for keys.
    var key: String {
        func text(_ time: MediaTime) -> String { "\(time.value)/\(time.timescale)" }
        func text(_ value: Value) -> String { value.numbers.map { "\($0)" }.joined(separator: " ") }
        return
            ([text(value)]
            + ramps.map {
                "\(text($0.start)),\(text($0.duration)),\(text($0.from)),\(text($0.to))"
            }).joined(separator: ";")
    }
}

extension Double: Rampable {
    public func moved(towards other: Double, by share: Double) -> Double {
        self + (other - self) * share
    }

    public var numbers: [Double] { [self] }
}

/// A rectangle, in parts of a frame or a picture: 0 is its left or upper edge, 1 the right or lower one.
public struct Area: Rampable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// All of it.
    public static let whole = Area(x: 0, y: 0, width: 1, height: 1)

    public func moved(towards other: Area, by share: Double) -> Area {
        Area(
            x: x.moved(towards: other.x, by: share), y: y.moved(towards: other.y, by: share),
            width: width.moved(towards: other.width, by: share),
            height: height.moved(towards: other.height, by: share))
    }

    public var numbers: [Double] { [x, y, width, height] }
}
