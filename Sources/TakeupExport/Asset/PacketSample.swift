internal import TakeupFFmpeg
internal import TakeupTimeline

/// Adds up the sizes of a source's first packets, to get bit rates without an index or scan.
struct PacketSample: Sendable, Equatable {
    /// Bytes to read from a local file, which takes a fraction of a second.
    private static let localBytes: Int64 = 64 * 1024 * 1024
    /// Bytes to read from any other source, which may have to fetch them.
    private static let farBytes: Int64 = 4 * 1024 * 1024

    struct Track: Sendable, Equatable {
        var bytes: Int64 = 0
        var start: MediaTime?
        var end: MediaTime?
        var continuity = SoundContinuity()

        /// Bits per second; nil if the sample is too short.
        var bitRate: Int? { BitRate.of(bytes: bytes, from: start, to: end) }
    }

    private(set) var tracks: [Int: Track] = [:]
    /// Whether the source's end was reached.
    private(set) var isWhole = false

    /// Reads from the demuxer's position, which must be the start.
    init(_ demuxer: Demuxer, isLocal: Bool) throws(FFmpegError) {
        let streams = Dictionary(uniqueKeysWithValues: demuxer.streams.map { ($0.index, $0) })
        let limit = isLocal ? Self.localBytes : Self.farBytes
        var bytes: Int64 = 0
        let packet = try Packet()
        while bytes < limit {
            do throws(FFmpegError) {
                guard try demuxer.read(into: packet) else {
                    isWhole = true
                    return
                }
            } catch {
                if error.status == .interrupted { throw error }
                return
            }
            bytes += Int64(packet.byteCount)
            guard let stream = streams[packet.streamIndex] else { continue }
            tracks[stream.index, default: Track()].add(packet, stream.timeBase)
        }
    }
}

extension PacketSample.Track {
    fileprivate mutating func add(_ packet: borrowing Packet, _ base: TimeBase) {
        bytes += Int64(packet.byteCount)
        guard let ticks = packet.ptsTicks ?? packet.dtsTicks else { return }
        let (from, to) = (base.time(ticks), base.time(ticks + packet.durationTicks))
        start = min(start ?? from, from)
        end = max(end ?? to, to)
        continuity.add(from: from, to: to)
    }
}
