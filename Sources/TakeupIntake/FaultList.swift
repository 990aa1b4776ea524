/// The faults of a list: each once, and no more than a person reads.
struct FaultList {
    static let most = 100

    private var seen: Set<BatchFault> = []
    /// Faults beyond the first `most`.
    private(set) var more = 0

    var isEmpty: Bool { seen.isEmpty }

    /// In the order of lines and columns.
    var sorted: [BatchFault] {
        seen.sorted {
            ($0.line ?? 0, $0.column ?? 0, $0.field ?? "", $0.reason)
                < ($1.line ?? 0, $1.column ?? 0, $1.field ?? "", $1.reason)
        }
    }

    mutating func add(_ fault: BatchFault) {
        guard !seen.contains(fault) else { return }
        if seen.count < Self.most {
            seen.insert(fault)
        } else {
            more += 1
        }
    }
}
