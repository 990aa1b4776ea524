import TakeupCache
import TakeupDaemon
import TakeupIntake
import TakeupJobs
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
                help: "Jobs at once: 1 to 64; default: half the cores, at least 2 if there are 2"),
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
            OptionSpecification(
                name: "queues", valueName: "NAME,NAME", environment: "TAKEUP_QUEUES",
                accepts: { names($0) != nil },
                help: "Take the jobs of these queues alone; 'default' has the jobs that name none"),
            OptionSpecification(
                name: "tags", valueName: "NAME,NAME", environment: "TAKEUP_TAGS",
                accepts: { names($0) != nil },
                help: "What this worker has, such as gpu, for jobs that ask for it"),
            OptionSpecification(
                name: "per-key", valueName: "N", environment: "TAKEUP_PER_KEY",
                accepts: { CommandInput.whole($0, in: keyLimits) != nil },
                help: "Start no job of a key of which N run, on all workers together"),
        ] + [NetworkOptions.allowNetwork] + CacheLimitOptions.specifications
            + StateOptions.withCache
    }

    private static let keyLimits = 1...10_000

    /// Names with commas between; nil for anything else.
    private static func names(_ text: String) -> Set<String>? {
        let names = text.split(separator: ",").map(String.init)
        return !names.isEmpty && names.allSatisfy(JobSpec.isName) ? Set(names) : nil
    }

    private static let lanes = 1...WorkerConfiguration.mostLanes

    var limits: CacheLimits { network.limits }
    let lanes: Int
    let drainSeconds: Double
    let leaseSeconds: Double
    let memoryBytes: Int64
    let requiresSandbox: Bool
    let scope: ClaimScope
    let network: NetworkOptions
    /// Those of a command that does not have them say nothing.
    let daemon: DaemonOptions
    let state: StateOptions

    init(_ input: CommandInput) throws(UsageError) {
        state = StateOptions(input)
        network = try NetworkOptions(input)
        daemon = try DaemonOptions(input)
        requiresSandbox = input.isOn(SandboxDemand.option)
        scope = ClaimScope(
            queues: try input.parsed("queues", as: "names such as a,b", Self.names),
            tags: try input.parsed("tags", as: "names such as gpu,big", Self.names) ?? [],
            mostPerKey: try input.whole("per-key", in: Self.keyLimits))
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
        configuration.scope = scope
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
