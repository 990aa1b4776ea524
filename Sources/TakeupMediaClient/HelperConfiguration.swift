internal import Foundation
public import TakeupProcess

/// How export helpers are started, and what they may use.
public struct HelperConfiguration: Sendable {
    /// The `takeup-media` program; by default the one that belongs to the program that is running.
    public var executable = MediaProgram.path
    /// Bytes that a helper may hold before it is ended; it cannot reserve more than half as much again.
    public var memoryBytes: Int64 = 4 << 30
    /// A helper that holds more than this between two exports is replaced.
    public var idleMemoryBytes: Int64 = 1 << 30
    /// Exports after which a helper is replaced.
    public var mostExports = 200
    /// Seconds without any progress after which an export is ended.
    public var stallSeconds = 120.0
    /// Seconds of processor time for each export: two days unless it is said; nil sets no limit.
    public var processorSeconds: Double? = 172_800
    /// Files that a helper may have open at once; the system's own limit goes before.
    public var openFiles: Int64 = 16_384
    /// Bytes that a file may grow to; nil sets no limit.
    public var fileBytes: Int64?
    /// Where a helper gets a private folder, for the statistics of two-pass encoders; nil for the system's own.
    public var scratchParent: String?
    /// Whether a helper that could not be sealed whole is refused: `ProcessError` with `.seal`.
    public var requiresSandbox = false
    /// As if the kernel had no later version of Landlock, 0 for none; for tests.
    package var mostLandlockVersion: Int32?
    /// Variables that helpers find in their environment besides the few that they need.
    package var environment: [String: String] = [:]

    /// What a helper can be kept from here.
    public var availableSandbox: Sandbox {
        .available(mostLandlockVersion: mostLandlockVersion)
    }

    public init() {
        let environment = ProcessInfo.processInfo.environment
        // With faults on request, a hang need not be waited for as long as one that may still end.
        guard environment[HelperCommand.faults] == "1" else { return }
        if let seconds = environment["TAKEUP_HELPER_STALL"].flatMap(Double.init), seconds > 0 {
            stallSeconds = seconds
        }
        mostLandlockVersion = environment["TAKEUP_HELPER_LANDLOCK"].flatMap { Int32($0) }
    }
}

extension HelperConfiguration {
    /// For one command of a user who waits and can stop it: only the machine's own limits hold.
    public static var foreground: HelperConfiguration {
        var configuration = HelperConfiguration()
        let pages = Int64(sysconf(Int32(_SC_PHYS_PAGES)))
        let bytes = pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
        configuration.memoryBytes = max(configuration.memoryBytes, bytes)
        // As long as a helper may only talk.
        configuration.stallSeconds = HelperWatch.talkSeconds
        configuration.processorSeconds = nil
        return configuration
    }
}
