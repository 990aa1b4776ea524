/// Whether a process and its clock have run steadily: after a pause or a jump, nobody's lease can be judged by the clock.
///
/// Who was paused together with this process has had no time to renew what it holds.
struct Steadiness: Sendable {
    /// By how much the clock may gain or lose between two looks, in seconds.
    static let mostDrift = 1.0

    /// A pause that is as long as this counts, in seconds; looks are half a second apart.
    private let mostGap: Double
    /// How long leases are not judged by the clock after it, in seconds: renewals are half a second apart at most.
    private let grace: Double
    private var last: (wall: Double, at: ContinuousClock.Instant)?
    private var judgesFrom: ContinuousClock.Instant?

    /// - Parameter leaseSeconds: Of this worker; the others of its database are taken to have the same.
    init(leaseSeconds: Double) {
        grace = min(leaseSeconds / 2, 5)
        mostGap = max(grace, 2)
    }

    /// Notes one look; the first one counts as a jump, for nobody knows what was before.
    ///
    /// - Parameters:
    ///   - wall: Seconds since 1970.
    ///   - instant: By a clock that nobody sets, and that goes on while the machine sleeps.
    /// - Returns: Whether times that were noted before may be wrong now.
    mutating func look(wall: Double, at instant: ContinuousClock.Instant) -> Bool {
        defer { last = (wall, instant) }
        guard let last else {
            judgesFrom = instant + .seconds(grace)
            return true
        }
        let gap = (instant - last.at) / .seconds(1)
        let hasJumped = abs(wall - last.wall - gap) > Self.mostDrift
        if hasJumped || gap >= mostGap { judgesFrom = instant + .seconds(grace) }
        return hasJumped
    }

    /// Whether a lease whose time is over has run out: its worker has had time to renew it.
    func judges(at instant: ContinuousClock.Instant) -> Bool {
        judgesFrom.map { instant >= $0 } ?? false
    }
}
