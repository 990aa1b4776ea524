internal import Foundation
internal import TakeupLanes

/// A named moment between two durable steps, at which a test can kill the process, stop it, or hang one lane.
enum Failpoint: String, CaseIterable, Sendable {
    case afterClaim, afterOpen, afterFingerprint
    case beforeBegin, afterBegin, afterLookup
    case beforeStage, afterStage, beforeExport, duringExport, afterExport
    case afterSync, afterHash, beforeAnnounce, afterAnnounce
    case beforePlace, afterPlace, afterRecord
    case beforeOutput, afterOutputFill, afterOutput
    case beforeFinish, afterFinish, afterJob

    /// What shall happen where, once in a process.
    struct Plan: Sendable {
        let point: Failpoint
        /// nil hangs the lane.
        let signal: Int32?
        private let isSpent = Locked(false)

        /// Reads `NAME:kill`, `NAME:stop` or `NAME:hang`; nil for anything else.
        init?(_ text: String?) {
            let words = text?.split(separator: ":") ?? []
            guard words.count == 2, let point = Failpoint(rawValue: String(words[0])) else {
                return nil
            }
            switch words[1] {
            case "kill": signal = SIGKILL
            case "stop": signal = SIGSTOP
            case "hang": signal = nil
            default: return nil
            }
            self.point = point
        }

        fileprivate func isFirstTime() -> Bool {
            isSpent.withLock { isSpent in
                defer { isSpent = true }
                return !isSpent
            }
        }
    }

    /// Does what the plan has for this point.
    func pass(_ plan: Plan?) {
        guard let plan, plan.point == self, plan.isFirstTime() else { return }
        guard let signal = plan.signal else {
            while true { sleep(3600) }
        }
        // To this thread: a signal to the process would let it go on until another one has taken it.
        raise(signal)
    }
}
