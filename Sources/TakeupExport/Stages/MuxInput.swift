internal import TakeupFFmpeg
internal import TakeupLanes

/// One stream's packets on their way into the output.
struct MuxInput {
    let queue: BoundedQueue<Packet>
    /// Of the packets in the queue.
    let timeBase: TimeBase
    /// Place in the output.
    let stream: Int
    let kind: StreamKind
    /// Where a copied cut ends for those who watch it; nil where all that is written is shown.
    let cut: CutEnd?
    /// Watches a copy's parameters; nil where an encoder makes the packets.
    let parameters: ParameterWatch?

    var isSubtitle: Bool { kind == .subtitle }
}
