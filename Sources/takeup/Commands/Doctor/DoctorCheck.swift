import TakeupModel

/// One thing about this machine, and whether exports suffer from it.
struct DoctorCheck: Sendable, Equatable {
    enum Status: String, Sendable {
        case good = "ok"
        case warning = "warn"
        /// Something that makes exports fail.
        case failure = "fail"
    }

    let subject: String
    let status: Status
    let finding: String
    /// What to do about it; nil when there is nothing to do.
    var hint: String?

    var json: JSONValue {
        [
            "subject": .text(subject), "status": .text(status.rawValue),
            "finding": .text(finding), "hint": .text(optional: hint),
        ]
    }
}
