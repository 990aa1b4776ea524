internal import TakeupLanes
public import TakeupFiles

/// What the store holds of a source at one moment.
public struct SourceHoldings: Sendable {
    /// Number of the version, which rises with every change.
    public var generation: Int64
    /// Length in bytes; nil while unknown.
    public var length: Int64?
    public var present: RangeSet
    /// Whether bytes only pass to the readers, because the disk does not take them.
    public var isPassing: Bool
    /// The validators of the version; nil before the origin's first answer.
    public var version: EntityVersion?
    /// When the origin last confirmed the version, in seconds since 1970.
    public var checkedAt: Double?
    /// How old the origin's answer was then, as it said itself; seconds.
    public var originAge: Double
    /// The status of the origin's last answer that confirmed the version, in this session; nil before.
    public var originStatus: Int?
}

extension ResourceLoader {
    public var holdings: SourceHoldings {
        let status = session.file.status
        let (checkedAt, originAge, originStatus) = session.state.withLock {
            ($0.checkedAt, $0.originAge, $0.originStatus)
        }
        return SourceHoldings(
            generation: status.generation, length: status.length, present: status.present,
            isPassing: status.storageFailure != nil, version: status.version?.entity,
            checkedAt: checkedAt, originAge: originAge, originStatus: originStatus)
    }
}
