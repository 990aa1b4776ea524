internal import TakeupFFmpeg
internal import TakeupTimeline

/// Counts which streams of pictures and sound go on beside one another, and which take another one's place.
///
/// A demuxer may find streams long after its container was opened, which nothing that was planned before contains.
struct StreamCensus: Sendable, Equatable {
    /// What was met of one stream.
    struct Member: Sendable, Equatable {
        let kind: StreamKind
        /// What it is, for messages.
        let name: String
        let timeBase: TimeBase
        /// Whether it was found while reading.
        let isLate: Bool
        var packets = 0
        var start: MediaTime?
        var end: MediaTime?
        /// Packets of all streams when its first and when its newest one came.
        var first: [Int] = []
        var last: [Int] = []

        /// How long it lasts.
        var length: MediaTime { max(.zero, (end ?? .zero) - (start ?? .zero)) }
    }

    /// Streams of fewer packets than this are no programme.
    private static let least = 8

    private var members: [Int: Member] = [:]
    private var counts: [Int] = []

    init(_ streams: [StreamDescription]) {
        for stream in streams { add(stream, isLate: false) }
    }

    /// Takes in the next packet of any stream.
    mutating func take(_ packet: borrowing Packet, _ demuxer: Demuxer) {
        let index = packet.streamIndex
        if index >= counts.count {
            for stream in demuxer.streams where stream.index >= counts.count {
                add(stream, isLate: true)
            }
        }
        guard members[index] != nil else { return }
        counts[index] += 1
        members[index]?.take(packet, counts)
    }

    private mutating func add(_ stream: StreamDescription, isLate: Bool) {
        while counts.count <= stream.index { counts.append(0) }
        let isMedia = stream.kind == .video && !stream.isAttachedPicture || stream.kind == .audio
        guard isMedia, stream.hasDecoder else { return }
        let number = stream.containerID > 0 ? ", number \(stream.containerID)" : ""
        members[stream.index] = Member(
            kind: stream.kind, name: "\(stream.kind.rawValue) (\(stream.codec)\(number))",
            timeBase: stream.timeBase, isLate: isLate)
    }

    /// Those that were found while reading.
    var late: [Member] {
        members.filter { $0.value.isLate && $0.value.packets > 0 }.sorted { $0.key < $1.key }
            .map(\.value)
    }

    /// Late ones that nobody misses, since another one of their kind goes on beside them.
    var extras: [Member] {
        members.filter { $0.value.isLate && $0.value.packets > 0 && hasCompany($0.key) }
            .sorted { $0.key < $1.key }.map(\.value)
    }

    /// Those that begin where nothing of their kind goes on, and that are found late or follow others.
    var successors: [Member] {
        members.filter { index, member in
            member.packets > 0 && !hasCompany(index) && (member.isLate || hasForerunner(index))
        }.sorted { $0.key < $1.key }.map(\.value)
    }

    private func hasForerunner(_ index: Int) -> Bool {
        members.contains { other, found in
            other != index && isBefore(other, index) && found.kind == members[index]?.kind
        }
    }

    /// Whether one that began earlier goes on beside a stream.
    private func hasCompany(_ index: Int) -> Bool {
        guard let member = members[index] else { return false }
        return members.contains { other, found in
            guard other != index, found.kind == member.kind, isBefore(other, index) else {
                return false
            }
            let first = member.first[safe: other]
            // A few packets are beside whatever goes on after them.
            guard member.packets >= Self.least else { return found.packets > first }
            return (member.last[safe: other] - first) * 2 >= member.packets
        }
    }

    private func isBefore(_ other: Int, _ index: Int) -> Bool {
        (members[index]?.first ?? [])[safe: other] > 0
    }
}

extension StreamCensus.Member {
    fileprivate mutating func take(_ packet: borrowing Packet, _ counts: [Int]) {
        packets += 1
        if packets == 1 { first = counts }
        last = counts
        guard let ticks = packet.dtsTicks ?? packet.ptsTicks else { return }
        let time = timeBase.time(ticks)
        start = min(start ?? time, time)
        end = max(end ?? time, time + timeBase.time(max(0, packet.durationTicks)))
    }
}

extension [Int] {
    /// A count; 0 of what was not known when they were counted.
    fileprivate subscript(safe index: Int) -> Int { indices.contains(index) ? self[index] : 0 }
}
