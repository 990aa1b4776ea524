internal import TakeupModel

/// Notices an export that no longer advances, or holds too much memory.
struct HelperWatch {
    private static let sampleSeconds = 1.0
    /// Seconds since the last progress after which nothing but progress counts: no source takes longer to look at,
    /// and a helper that only talks must not go on for ever.
    static let talkSeconds = 21_600.0

    /// Seconds of processor time beyond the limit within which the system's signal should have ended it.
    private static let deafSeconds = 5.0

    private let configuration: HelperConfiguration
    private let residentBytes: () -> Int64
    private let processorSeconds: () -> Double
    /// Beyond this much processor time it does not heed its limit.
    private let processorEnd: Double?
    private let now: () -> ContinuousClock.Instant
    private var advanced: ContinuousClock.Instant
    private var progressed: ContinuousClock.Instant
    private var sampled: ContinuousClock.Instant
    private var fraction = -1.0

    init(
        _ configuration: HelperConfiguration, residentBytes: @escaping () -> Int64,
        processorSeconds: @escaping () -> Double = { 0 },
        now: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        (self.configuration, self.residentBytes, self.now) = (configuration, residentBytes, now)
        self.processorSeconds = processorSeconds
        processorEnd = configuration.processorSeconds.map {
            processorSeconds() + $0 + Self.deafSeconds
        }
        let time = now()
        (advanced, progressed, sampled) = (time, time, time)
    }

    /// Takes a sign of life that tells no progress.
    mutating func hear() {
        let time = now()
        if time - progressed < .seconds(Self.talkSeconds) { advanced = time }
    }

    mutating func see(_ event: HelperEvent) {
        guard case .progress(let progress) = event else { return hear() }
        guard progress.fraction > fraction else { return }
        fraction = progress.fraction
        progressed = now()
        advanced = progressed
    }

    /// - Returns: Why the export must be ended; nil while all is well.
    mutating func verdict() -> HelperOutcome? {
        let time = now()
        if time - advanced > .seconds(configuration.stallSeconds) {
            return .hung(seconds: configuration.stallSeconds)
        }
        guard time - sampled >= .seconds(Self.sampleSeconds) else { return nil }
        sampled = time
        if let processorEnd, processorSeconds() > processorEnd {
            return .crashed(HelperCrash(limit: "processorTime"))
        }
        let bytes = residentBytes()
        return bytes > configuration.memoryBytes ? .memoryExceeded(bytes: bytes) : nil
    }
}
