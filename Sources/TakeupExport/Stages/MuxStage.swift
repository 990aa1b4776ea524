internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Takes the packet with the earliest decoding time of all streams, again and again, and writes it.
///
/// Every stream is made on lanes of its own, so waiting for one never stops another for good.
final class MuxStage {
    private let inputs: [MuxInput]
    private let muxer: Muxer?
    private let control: RunControl
    private let progress: ProgressMeter
    private(set) var written: [WrittenTrack]
    private var lastDTS: [Int64?]
    private var heads: [Int: MediaTime] = [:]
    private var slots: [PacketSlot]

    /// - Parameter muxer: nil counts the packets and drops them, as in the first of two passes.
    init(_ inputs: [MuxInput], muxer: Muxer?, control: RunControl, progress: ProgressMeter) {
        self.inputs = inputs
        self.muxer = muxer
        self.control = control
        self.progress = progress
        written = Array(repeating: WrittenTrack(), count: inputs.count)
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
        count(packet, place)
        guard let muxer else { return }
        packet.streamIndex = input.stream
        packet.rescale(from: input.timeBase, to: muxer.timeBase(of: input.stream))
        if let last = lastDTS[place], let dts = packet.dtsTicks, dts <= last {
            packet.dtsTicks = last + 1
            if let pts = packet.ptsTicks, pts < last + 1 { packet.ptsTicks = last + 1 }
        }
        lastDTS[place] = packet.dtsTicks
        try muxer.write(packet)
    }

    private func count(_ packet: borrowing Packet, _ place: Int) {
        let base = inputs[place].timeBase
        let pts = packet.ptsTicks ?? packet.dtsTicks ?? 0
        let (start, end) = (base.time(pts), base.time(pts + max(0, packet.durationTicks)))
        written[place].packets += 1
        written[place].bytes += Int64(packet.byteCount)
        written[place].start = min(written[place].start ?? start, start)
        written[place].end = max(written[place].end ?? end, end)
        let decode = packet.dtsTicks ?? pts
        written[place].firstDecode = written[place].firstDecode ?? base.time(decode)
        written[place].lastDecode = base.time(decode + max(0, packet.durationTicks))
        if !inputs[place].isSubtitle { progress.reach(start) }
    }
}

/// Holds the packet of one stream that was taken from its queue and is not written yet.
private final class PacketSlot {
    var packet: Packet?
}
