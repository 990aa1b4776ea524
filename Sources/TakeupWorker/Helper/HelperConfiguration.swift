internal import Foundation
public import TakeupProcess

/// How export helpers are started, and what they may use.
public struct HelperConfiguration: Sendable {
    /// The `takeup` program; by default the one that is running.
    public var executable = "/proc/self/exe"
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
    /// Bytes that a file may grow to; nil sets no limit.
    public var fileBytes: Int64?
    /// Where a helper gets a private folder, for the statistics of two-pass encoders; nil for the system's own.
    public var scratchParent: String?
    /// Whether a helper that could not be sealed whole is refused: `ProcessError` with `.seal`.
    public var requiresSandbox = false
    /// As if the kernel had no later version of Landlock, 0 for none; for tests.
    var mostLandlockVersion: Int32?
    /// Variables that helpers find in their environment besides the few that they need.
    var environment: [String: String] = [:]

    /// What a helper can be kept from here.
    public var availableSandbox: Sandbox {
        .available(mostLandlockVersion: mostLandlockVersion)
    }

    public init() {}
}
