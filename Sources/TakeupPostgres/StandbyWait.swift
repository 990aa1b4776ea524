internal import CTakeupPostgres

/// Whether a commit's wait for its standbys was cancelled, as a notice of the server has told libpq.
///
/// Such a commit stands on this server alone, and its answer is a success all the same.
final class StandbyWait {
    /// 1 when it was; written by libpq while it reads an answer.
    let place: UnsafeMutablePointer<Int32>

    init() {
        place = .allocate(capacity: 1)
        place.initialize(to: 0)
    }

    deinit { place.deallocate() }

    /// Returns whether it was since the last time.
    func takeIsGivenUp() -> Bool {
        defer { place.pointee = 0 }
        return place.pointee != 0
    }
}
