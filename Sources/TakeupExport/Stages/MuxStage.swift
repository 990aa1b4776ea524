internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Writes packets in the order of their decoding times, across all streams.
///
/// Each stream comes from its own lanes, so waiting for one stream never blocks another
/// permanently.
final class MuxStage {
    private let inputs: [MuxInput]
    private let muxer: Muxer?
    private let byteLimit: Int64?
    private let control: RunControl
    private let progress: ProgressMeter
    private(set) var written: [WrittenTrack]
    private var bytes: Int64 = 0
    private var lastDTS: [Int64?]
    private var heads: [Int: MediaTime] = [:]
    private var slots: [PacketSlot]

    /// Without a muxer, the stage counts and drops the packets, as in the first of two passes.
    ///
    /// With a limit, the stage stops the export once the packets exceed it.
    init(
        _ inputs: [MuxInput], muxer: Muxer?, byteLimit: Int64?, control: RunControl,
        progress: ProgressMeter
    ) {
        self.inputs = inputs
        self.muxer = muxer
        self.byteLimit = byteLimit
        self.control = control
        self.progress = progress
        written = inputs.map {
            WrittenTrack($0.kind, timeBase: $0.timeBase, cut: $0.cut, parameters: $0.parameters)
        }
        lastDTS = Array(repeating: nil, count: inputs.count)
        slots = inputs.map { _ in PacketSlot() }
    }

    /// Writes until every queue has ended.
    func run() {
        do throws(FFmpegError) {
            for place in inputs.indices { fill(place) }
            while let place = next(), !control.isStopped {
                if let packet = slots[place].packet.take() { try write(packet, place) }
                fill(place)
            }
        } catch {
            control.fail(error, .mux)
        }
    }

    private func fill(_ place: Int) {
        guard let packet = inputs[place].queue.pop() else {
            heads[place] = nil
            return
        }
        let ticks = packet.dtsTicks ?? packet.ptsTicks ?? 0
        heads[place] = inputs[place].timeBase.time(ticks)
        slots[place].packet = consume packet
    }

    private func next() -> Int? {
        heads.min { $0.value != $1.value ? $0.value < $1.value : $0.key < $1.key }?.key
    }

    private func write(_ packet: consuming Packet, _ place: Int) throws(FFmpegError) {
        let input = inputs[place]
        let before = written[place]
        let ticks = written[place].count(packet)
        if !input.isSubtitle { progress.reach(input.timeBase.time(ticks)) }
        bytes += Int64(packet.byteCount)
        if let byteLimit, bytes > byteLimit {
            control.fail(.sizeLimitUnreachable(limit: byteLimit, smallest: bytes))
            return
        }
        guard let muxer else { return }
        packet.streamIndex = input.stream
        packet.rescale(from: input.timeBase, to: muxer.timeBase(of: input.stream))
        lastDTS[place] = packet.keepOrder(after: lastDTS[place])
        do throws(FFmpegError) {
            try muxer.write(packet)
        } catch {
            try written[place].noteRefusal(error, before: before)
        }
    }
}
