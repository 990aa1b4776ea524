internal import TakeupExport

/// Notices an export that no longer advances, or holds too much memory.
struct HelperWatch {
    private static let sampleSeconds = 1.0
    /// Seconds since the last progress after which nothing but progress counts: no source takes longer to look at,
    /// and a helper that only talks must not go on for ever.
    static let talkSeconds = 21_600.0

    private let configuration: HelperConfiguration
    private let residentBytes: () -> Int64
    private let now: () -> ContinuousClock.Instant
    private var advanced: ContinuousClock.Instant
    private var progressed: ContinuousClock.Instant
    private var sampled: ContinuousClock.Instant
    private var fraction = -1.0

    init(
        _ configuration: HelperConfiguration, residentBytes: @escaping () -> Int64,
        now: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        (self.configuration, self.residentBytes, self.now) = (configuration, residentBytes, now)
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
        let bytes = residentBytes()
        return bytes > configuration.memoryBytes ? .memoryExceeded(bytes: bytes) : nil
    }
}
