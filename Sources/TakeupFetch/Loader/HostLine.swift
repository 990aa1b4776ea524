/// The active transfers of one host and the waiting ones, in order of arrival.
struct HostLine: Equatable {
    struct Place: Equatable {
        let number: Int
        /// The place is admitted while fewer transfers than this are active.
        let most: Int
    }

    private(set) var active: [Int] = []
    private(set) var waiting: [Place] = []

    var isEmpty: Bool { active.isEmpty && waiting.isEmpty }

    /// Adds a place behind everybody who waits.
    mutating func join(_ place: Place) {
        precondition(place.most > 0, "somebody has to be let through")
        waiting.append(place)
    }

    /// Removes a place, admitted or not.
    mutating func leave(_ number: Int) {
        active.removeAll { $0 == number }
        waiting.removeAll { $0.number == number }
    }

    /// Admits the places that may start now, in order of arrival.
    ///
    /// - Returns: The admitted numbers.
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
