internal import TakeupExport
internal import TakeupProcess

/// Notices an export that no longer advances, or holds too much memory.
struct HelperWatch {
    private static let sampleSeconds = 1.0

    private let configuration: HelperConfiguration
    private let child: ChildProcess
    private let now: () -> ContinuousClock.Instant
    private var advanced: ContinuousClock.Instant
    private var sampled: ContinuousClock.Instant
    private var fraction = -1.0

    init(
        _ configuration: HelperConfiguration, _ child: ChildProcess,
        now: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        (self.configuration, self.child, self.now) = (configuration, child, now)
        (advanced, sampled) = (now(), now())
    }

    mutating func advance() {
        advanced = now()
    }

    mutating func see(_ event: HelperEvent) {
        guard case .progress(let progress) = event else { return advance() }
        guard progress.fraction > fraction else { return }
        fraction = progress.fraction
        advance()
    }

    /// - Returns: Why the export must be ended; nil while all is well.
    mutating func verdict() -> HelperOutcome? {
        let time = now()
        if time - advanced > .seconds(configuration.stallSeconds) {
            return .hung(seconds: configuration.stallSeconds)
        }
        guard time - sampled >= .seconds(Self.sampleSeconds) else { return nil }
        sampled = time
        let bytes = child.residentBytes
        return bytes > configuration.memoryBytes ? .memoryExceeded(bytes: bytes) : nil
    }
}
