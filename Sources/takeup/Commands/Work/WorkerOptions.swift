import TakeupCache
import TakeupDaemon
import TakeupIntake
import TakeupMediaClient
import TakeupModel
import TakeupService
import TakeupWorker

/// The options that say how a worker in this process works.
struct WorkerOptions: Sendable {
    /// With the command's own default for `--drain`, as people write it.
    static func specifications(drain: String) -> [OptionSpecification] {
        [
            OptionSpecification(
                name: "workers", valueName: "N", environment: "TAKEUP_WORKERS",
                accepts: { CommandInput.whole($0, in: lanes) != nil },
                help: "Jobs at once: 1 to 64; default: one for two cores"),
            OptionSpecification(
                name: "drain", valueName: "TIME", environment: "TAKEUP_DRAIN",
                defaultValue: drain, accepts: { DurationText(parsing: $0)?.seconds != nil },
                help: "How long running jobs may go on after the first signal"),
            OptionSpecification(
                name: "lease", valueName: "TIME", environment: "TAKEUP_LEASE",
                defaultValue: "30s", accepts: { lease($0) != nil },
                help: "How long a job stays with a worker that gives no sign of life"),
            OptionSpecification(
                name: "memory", valueName: "SIZE", environment: "TAKEUP_MEMORY",
                defaultValue: "4GB", accepts: { ByteSize(parsing: $0) != nil },
                help: "Most memory of one export; one that needs more is ended"),
        ] + [NetworkOptions.allowNetwork] + CacheLimitOptions.specifications
            + StateOptions.withCache
    }

    private static let lanes = 1...WorkerConfiguration.mostLanes

    var limits: CacheLimits { network.limits }
    let lanes: Int
    let drainSeconds: Double
    let leaseSeconds: Double
    let memoryBytes: Int64
    let requiresSandbox: Bool
    let network: NetworkOptions
    /// Those of a command that does not have them say nothing.
    let daemon: DaemonOptions
    let state: StateOptions

    init(_ input: CommandInput) throws(UsageError) {
        state = StateOptions(input)
        network = try NetworkOptions(input)
        daemon = try DaemonOptions(input)
        requiresSandbox = input.isOn(SandboxDemand.option)
        lanes = try input.whole("workers", in: Self.lanes) ?? WorkerConfiguration.standardLanes
        drainSeconds =
            try input.parsed("drain", as: "a time such as 60s or 10m") {
                DurationText(parsing: $0)?.seconds
            } ?? 60
        leaseSeconds =
            try input.parsed("lease", as: "a time from 1s to 1h", Self.lease) ?? 30
        memoryBytes =
            try input.parsed("memory", as: "a size such as 4GB") { ByteSize(parsing: $0)?.bytes }
            ?? 4_000_000_000
    }

    func places(in context: CommandContext) throws(Failure) -> StatePlaces {
        try state.places(in: context)
    }

    func configuration(at places: StatePlaces) -> WorkerConfiguration {
        var configuration = WorkerConfiguration(stateFolder: places.home, lanes: lanes)
        configuration.drainSeconds = drainSeconds
        configuration.leaseSeconds = leaseSeconds
        configuration.helper.memoryBytes = memoryBytes
        configuration.helper.requiresSandbox = requiresSandbox
        return configuration
    }

    /// What exports in this process are not kept from; nil where nothing is missing.
    ///
    /// - Throws: With 78 where `--require-sandbox` asks for all of it.
    func sandboxWarning(at places: StatePlaces) throws(Failure) -> String? {
        let sandbox = configuration(at: places).helper.availableSandbox
        return try SandboxDemand.warning(sandbox, isRequired: requiresSandbox)
    }

    private static func lease(_ text: String) -> Double? {
        DurationText(parsing: text)?.seconds.flatMap { (1...3600).contains($0) ? $0 : nil }
    }
}
