public import TakeupFiles

/// What one look at a file has shown, and when it was.
public struct FileSighting: Sendable, Equatable {
    public let identity: FileIdentity
    /// When it was looked at, in seconds of a clock that only goes forward.
    public let now: Double
    /// When it was looked at by the clock of the day, in seconds since 1970.
    public let wallSeconds: Double
    /// Whether a writer was seen to close it, or it was moved into its name, since the look before.
    public let isDone: Bool

    public init(
        _ identity: FileIdentity, now: Double, wallSeconds: Double, isDone: Bool = false
    ) {
        (self.identity, self.now) = (identity, now)
        (self.wallSeconds, self.isDone) = (wallSeconds, isDone)
    }

    /// How long ago the file says that it was changed, in seconds; 0 when that lies ahead.
    var ageSeconds: Double {
        let latest = max(identity.modifiedNanoseconds, identity.changedNanoseconds)
        return max(0, wallSeconds - Double(latest) / 1e9)
    }
}
