internal import TakeupLanes

/// One export that a helper was asked for.
struct HelperOrder: Sendable {
    let request: HelperRequest
    /// The sources' and, as the last, the output's.
    let descriptors: [Int32]
    let processorSeconds: Double?
    let cancellation = Cancellation()
}
