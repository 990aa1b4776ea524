internal import TakeupExport
internal import TakeupLanes

/// One piece of work that a helper was asked for.
struct HelperOrder: Sendable {
    enum Work: Sendable {
        case export(HelperRequest)
        /// - Parameter name: What the source is called in messages.
        case probe(name: String)
    }

    let work: Work
    /// The sources' and, as the last of an export, the output's.
    let descriptors: [Int32]
    let cancellation = Cancellation()
}
