/// Who transfers from one host now, and who waits for that, in the order in which they came.
struct HostLine: Equatable {
    struct Place: Equatable {
        let number: Int
        /// Goes on once fewer than this transfer.
        let most: Int
    }

    private(set) var active: [Int] = []
    private(set) var waiting: [Place] = []

    var isEmpty: Bool { active.isEmpty && waiting.isEmpty }

    /// Somebody comes, behind everybody who waits.
    mutating func join(_ place: Place) {
        precondition(place.most > 0, "somebody has to be let through")
        waiting.append(place)
    }

    /// Somebody goes, whether or not it was let through.
    mutating func leave(_ number: Int) {
        active.removeAll { $0 == number }
        waiting.removeAll { $0.number == number }
    }

    /// Lets through who may go on now; nobody overtakes who came before.
    ///
    /// - Returns: Those who were let through.
    mutating func admit() -> [Int] {
        var admitted: [Int] = []
        while let first = waiting.first, active.count < first.most {
            active.append(first.number)
            admitted.append(first.number)
            waiting.removeFirst()
        }
        return admitted
    }
}
