/// How long a watcher waits from one scan's end to the next one's beginning, in seconds.
public struct ScanIntervals: Sendable, Equatable {
    /// Scans alone take at most a hundredth of the time, unless `longest` says sooner.
    public static let pollingPauseForEachScanSecond = 99.0
    /// Beside events a scan finds next to nothing: a two-hundredth.
    public static let reconcilingPauseForEachScanSecond = 199.0

    /// Beside events: what they miss, such as a disk that is mounted below the root, is found within a minute, or `longest`.
    public var reconciling = 60.0
    public var polling = 10.0
    /// Each scan asks a server for every file.
    public var pollingNetwork = 30.0
    /// However long a scan takes.
    public var longest = 300.0
    /// Whether somebody has asked for these pauses: then a scan takes at most half of the time.
    public var isFixed = false

    public init() {}

    /// The pause after a scan.
    ///
    /// - Parameters:
    ///   - mode: How the folder is watched.
    ///   - lastScanSeconds: What the scan took; 0 when there was none.
    /// - Returns: Seconds.
    public func pause(_ mode: WatchMode, lastScanSeconds: Double) -> Double {
        var wanted = polling
        var forEachSecond = Self.pollingPauseForEachScanSecond
        switch mode {
        case .events:
            (wanted, forEachSecond) = (reconciling, Self.reconcilingPauseForEachScanSecond)
        case .polling(.network): wanted = pollingNetwork
        case .polling(.silent), .polling(.watchLimit), .polling(.setting): break
        }
        if isFixed { return max(wanted, lastScanSeconds) }
        return max(wanted, min(lastScanSeconds * forEachSecond, longest))
    }
}
