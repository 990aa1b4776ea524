/// How long a file must stand still before it counts as whole.
public struct StabilitySettings: Sendable, Equatable {
    public static let localSeconds = 10.0
    public static let networkSeconds = 30.0
    /// A file stands still for so many times the longest pause that it has made.
    static let pauseFactor = 3.0
    /// What a pause can ask for at most; a longer pause is the end of one writing and the start of another.
    static let longestSeconds = 600.0
    /// Two looks that count as two lie so far apart, in seconds.
    static let secondLookSeconds = 1.0
    /// From this age on a file's own times count as stillness that nobody saw.
    static let oldSeconds = 60.0
    /// How far a server's clock may be from ours.
    static let serverSkewSeconds = 300.0

    /// At least, in seconds.
    public let stableSeconds: Double
    /// What the clock that a file's times come from may be away from ours, in seconds.
    let skewSeconds: Double

    /// - Parameters:
    ///   - isNetwork: Whether another machine may write the files, and stamps them by its clock.
    ///   - stableSeconds: Above 0; nil is 10 on a local file system and 30 on a network's.
    public init(isNetwork: Bool, stableSeconds: Double? = nil) {
        let seconds = stableSeconds ?? (isNetwork ? Self.networkSeconds : Self.localSeconds)
        precondition(seconds.isFinite && seconds > 0, "a file needs time to be seen still")
        self.stableSeconds = seconds
        skewSeconds = isNetwork ? Self.serverSkewSeconds : 0
    }
}
