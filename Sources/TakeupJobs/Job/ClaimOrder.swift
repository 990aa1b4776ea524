/// In which order waiting jobs are claimed while nothing changes.
struct ClaimOrder {
    /// A job that waits.
    struct Candidate: Equatable {
        var sequence: Int64
        var priority: Int64
        var runAt: Double
        var isOverdue: Bool
    }

    /// Those that may start now; of each order at least as many first ones as are asked for.
    var candidates: [Candidate]
    /// Of the last claim.
    var token: Int64

    /// - Returns: Their sequences, the next one first.
    func next(_ limit: Int) -> [Int64] {
        var urgent = candidates.sorted {
            ($1.priority, $0.sequence) < ($0.priority, $1.sequence)
        }
        var overdue = candidates.filter(\.isOverdue).sorted {
            ($0.runAt, $0.sequence) < ($1.runAt, $1.sequence)
        }
        var order: [Int64] = []
        while order.count < limit, let first = urgent.first {
            let isOverdueTurn = AgingPolicy.prefersOverdue(token: token + Int64(order.count) + 1)
            let next = isOverdueTurn ? overdue.first ?? first : first
            order.append(next.sequence)
            urgent.removeAll { $0 == next }
            overdue.removeAll { $0 == next }
        }
        return order
    }
}
