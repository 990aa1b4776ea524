/// Counts the video packets about which their decoder complains.
///
/// A decoder complains of a fault and continues, often with a wrong picture that has no mark. A
/// decoder also complains at the start of reading, because earlier packets are missing.
struct PictureFaults: Sendable, Equatable {
    /// Number of keyframe packets to wait for before a complaint counts as a fault.
    private var keysToCome: Int
    private var isShown = false
    private var complaints = 0
    private var taken = 0
    private var lastFaulty = 0
    /// Number of packets with complaints.
    private(set) var count = 0

    /// - Parameter missesEarlier: Whether pictures before the first keyframe packet may be missing;
    ///   pictures of its GOP may refer to them.
    init(missesEarlier: Bool = false) {
        keysToCome = missesEarlier ? 2 : 1
    }

    /// Whether the last packet had a complaint.
    var isLastFaulty: Bool { count > 0 && lastFaulty == taken }

    /// Whether no packet was added yet.
    var isFirst: Bool { taken == 0 }

    /// Marks that pictures after the first keyframe packet may refer to missing ones.
    mutating func missEarlier() {
        keysToCome = 2
    }

    /// Adds the packet that the decoder gets next.
    ///
    /// - Parameters:
    ///   - isKey: Whether the packet can be decoded alone.
    ///   - isShown: Whether its picture is shown.
    mutating func take(isKey: Bool, isShown: Bool) {
        if isFirst, !isKey { missEarlier() }
        if isKey { keysToCome = max(0, keysToCome - 1) }
        taken += 1
        self.isShown = isShown
    }

    /// Records the decoder's total number of complaints after it has processed a packet.
    mutating func note(complaints total: Int) {
        defer { complaints = total }
        guard total > complaints, keysToCome == 0, isShown, lastFaulty < taken else { return }
        lastFaulty = taken
        count += 1
    }
}
