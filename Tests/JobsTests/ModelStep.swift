import TestSupport

/// One thing that a user, a worker or the clock does to a queue.
enum ModelStep {
    case wait(seconds: Double)
    case submit(job: Int, content: Int, priority: Int, retries: Int)
    case claim(worker: Int)
    case renew(slot: Int)
    case begin(slot: Int, work: Int)
    case announce(slot: Int)
    case finish(slot: Int, ModelEnding)
    case rescue(dead: Int?)
    case cancel(job: Int)
    case retry(job: Int)
    case prune(seconds: Double)

    static let workers = 4
    static let jobs = 12
    /// The last lease of each worker, then leases that workers should have let go of.
    static let slots = 12

    static func random(_ random: inout SeededRandom) -> ModelStep {
        let dice = random.below(100)
        switch dice {
        case ..<10: return .wait(seconds: Double(random.below(16)))
        case 10: return .wait(seconds: Double(random.below(1200)))
        case ..<21:
            return .submit(
                job: random.below(jobs), content: random.below(2),
                priority: random.below(3), retries: random.below(3))
        case ..<41: return .claim(worker: random.below(workers))
        case ..<50: return .renew(slot: random.below(slots))
        case ..<58: return .begin(slot: random.below(slots), work: random.below(4))
        case ..<62: return .announce(slot: random.below(slots))
        case ..<82:
            return .finish(slot: random.below(slots), ModelEnding.all[random.below(8)])
        case ..<88: return .rescue(dead: random.below(3) == 0 ? random.below(workers) : nil)
        case ..<94: return .cancel(job: random.below(jobs))
        case ..<99: return .retry(job: random.below(jobs))
        default: return .prune(seconds: Double(random.below(600)))
        }
    }

    /// The slot whose lease the step uses.
    var slot: Int? {
        switch self {
        case .renew(let slot), .begin(let slot, _), .announce(let slot), .finish(let slot, _): slot
        case .wait, .submit, .claim, .rescue, .cancel, .retry, .prune: nil
        }
    }
}
