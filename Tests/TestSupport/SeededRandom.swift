/// The same numbers every time (SplitMix64).
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(state: UInt64) {
        self.state = state
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Evenly spread, from 0 up to 1.
    public mutating func share() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Evenly spread, from 0 up to `count`.
    public mutating func below<Number: FixedWidthInteger>(_ count: Number) -> Number {
        Number(next() % UInt64(count))
    }
}
