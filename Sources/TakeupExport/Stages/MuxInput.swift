internal import TakeupFFmpeg
internal import TakeupLanes

/// One stream's packets on their way into the output.
struct MuxInput {
    let queue: BoundedQueue<Packet>
    /// Of the packets in the queue.
    let timeBase: TimeBase
    /// Place in the output.
    let stream: Int
    let isSubtitle: Bool
    /// Watches a copy's parameters; nil where an encoder makes the packets.
    let parameters: ParameterWatch?
}
