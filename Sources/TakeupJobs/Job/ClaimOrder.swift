/// In which order waiting jobs are claimed while nothing changes.
struct ClaimOrder {
    /// A job that waits.
    struct Candidate: Equatable {
        var sequence: Int64
        var priority: Int64
    }

    /// Queued jobs by priority and acceptance; of each order at least as many first ones as are asked for.
    var queued: [Candidate] = []
    /// Jobs whose start time has come, by priority and start time.
    var due: [Candidate] = []
    /// The sequences of those that have waited too long, of both kinds, the longest first.
    var overdue: [Int64] = []
    /// The token of the last claim.
    var token: Int64

    init(token: Int64) {
        self.token = token
    }

    /// - Returns: Their sequences, the next one first.
    func next(_ limit: Int) -> [Int64] {
        var rest = self
        var order: [Int64] = []
        while order.count < limit, let urgent = rest.urgent {
            let isOverdueTurn = AgingPolicy.prefersOverdue(token: token + Int64(order.count) + 1)
            let next = isOverdueTurn ? rest.overdue.first ?? urgent : urgent
            order.append(next)
            rest.remove(next)
        }
        return order
    }

    /// The first of both kinds: of one priority, the one that was accepted first.
    private var urgent: Int64? {
        guard let queued = queued.first, let due = due.first else {
            return (queued.first ?? due.first)?.sequence
        }
        if queued.priority != due.priority {
            return queued.priority > due.priority ? queued.sequence : due.sequence
        }
        return min(queued.sequence, due.sequence)
    }

    private mutating func remove(_ sequence: Int64) {
        queued.removeAll { $0.sequence == sequence }
        due.removeAll { $0.sequence == sequence }
        overdue.removeAll { $0 == sequence }
    }
}
