/// Counts the packets of pictures of which their decoder complains.
///
/// A decoder complains of a fault and goes on; often it gives out a wrong picture without a mark. It also complains
/// where reading began: there it misses what lies before.
struct PictureFaults: Sendable, Equatable {
    /// Key packets to come before a complaint tells of a fault.
    private var keysToCome: Int
    private var isShown = false
    private var complaints = 0
    private var taken = 0
    private var lastFaulty = 0
    /// Packets of which the decoder complained.
    private(set) var count = 0

    /// - Parameter missesEarlier: Whether pictures before the first key packet may be missing: those of the group
    ///   behind it may refer to them.
    init(missesEarlier: Bool = false) {
        keysToCome = missesEarlier ? 2 : 1
    }

    /// Whether the last packet was one of them.
    var isLastFaulty: Bool { count > 0 && lastFaulty == taken }

    /// Whether no packet was taken in yet.
    var isFirst: Bool { taken == 0 }

    /// Says that what follows the first key packet may refer to what is not there.
    mutating func missEarlier() {
        keysToCome = 2
    }

    /// Takes in the packet that the decoder gets next.
    ///
    /// - Parameters:
    ///   - isKey: Whether it can be decoded by itself.
    ///   - isShown: Whether its picture is shown.
    mutating func take(isKey: Bool, isShown: Bool) {
        if isFirst, !isKey { missEarlier() }
        if isKey { keysToCome = max(0, keysToCome - 1) }
        taken += 1
        self.isShown = isShown
    }

    /// Notes how often the decoder has complained in all, once it is done with a packet.
    mutating func note(complaints total: Int) {
        defer { complaints = total }
        guard total > complaints, keysToCome == 0, isShown, lastFaulty < taken else { return }
        lastFaulty = taken
        count += 1
    }
}
