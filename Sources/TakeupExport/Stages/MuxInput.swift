internal import TakeupFFmpeg
internal import TakeupLanes

/// One stream's packets on their way to the muxer.
struct MuxInput {
    let queue: BoundedQueue<Packet>
    /// Time base of the packets in the queue.
    let timeBase: TimeBase
    /// Stream index in the output.
    let stream: Int
    let kind: StreamKind
    /// The end of a copied cut as viewers see it; nil if all packets are shown.
    let cut: CutEnd?
    /// Watches the parameters of a copy; nil for an encoded stream.
    let parameters: ParameterWatch?

    var isSubtitle: Bool { kind == .subtitle }
}
