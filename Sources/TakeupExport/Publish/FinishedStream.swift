internal import TakeupFFmpeg
internal import TakeupTimeline

/// One stream of a finished file, as a demuxer gives it.
struct FinishedStream {
    /// Packets of each stream within which its first picture is shown: coders reorder no more than 16.
    private static let head = 32
    /// What the times may be off by: an index and edit lists round.
    static let tolerance = MediaTime(value: 1, timescale: 50)

    let description: StreamDescription
    let packets: Int
    /// The earliest and the latest presentation time; nil when none was read.
    private(set) var first: MediaTime?
    private(set) var last: MediaTime?
    private var read = 0

    private init(_ description: StreamDescription, _ demuxer: Demuxer) {
        self.description = description
        packets = demuxer.indexCount(of: description.index)
    }

    /// Reads the first packets of every stream, and from the last keyframe on to the end.
    static func read(
        _ streams: [StreamDescription], _ demuxer: Demuxer
    ) throws(FFmpegError) -> [FinishedStream] {
        var found = streams.map { FinishedStream($0, demuxer) }
        let packet = try Packet()
        // Each stream alone: what lies between its packets is passed over.
        for place in found.indices {
            let index = found[place].description.index
            guard let first = demuxer.indexEntry(0, of: index),
                let last = demuxer.indexEntry(found[place].packets - 1, of: index)
            else { continue }
            demuxer.select([index])
            try demuxer.seek(stream: index, toTicks: first.dtsTicks)
            while found[place].read < head, try demuxer.read(into: packet) {
                if packet.streamIndex == index { found[place].take(packet) }
            }
            guard found[place].read < found[place].packets else { continue }
            try demuxer.seek(stream: index, toTicks: last.dtsTicks)
            while try demuxer.read(into: packet) {
                if packet.streamIndex == index { found[place].take(packet) }
            }
        }
        return found
    }

    private mutating func take(_ packet: borrowing Packet) {
        read += 1
        guard let ticks = packet.ptsTicks ?? packet.dtsTicks else { return }
        let time = description.timeBase.time(ticks)
        first = min(first ?? time, time)
        last = max(last ?? time, time)
    }
}
