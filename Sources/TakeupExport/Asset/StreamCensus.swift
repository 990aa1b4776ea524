internal import TakeupFFmpeg
internal import TakeupTimeline

/// Determines which video and audio streams run in parallel and which replace others.
///
/// A demuxer may find streams long after the container was opened; an existing plan does not
/// include them.
struct StreamCensus: Sendable, Equatable {
    /// The packets of one stream.
    struct Member: Sendable, Equatable {
        let kind: StreamKind
        /// The stream's name, for messages.
        let name: String
        let timeBase: TimeBase
        /// Whether the stream was found during reading.
        let isLate: Bool
        var packets = 0
        var start: MediaTime?
        var end: MediaTime?
        /// Packet counts of all streams at this stream's first and at its newest packet.
        var first: [Int] = []
        var last: [Int] = []

        /// Duration of the stream.
        var length: MediaTime { max(.zero, (end ?? .zero) - (start ?? .zero)) }
    }

    /// A stream with fewer packets than this is no programme.
    private static let least = 8

    private var members: [Int: Member] = [:]
    private var counts: [Int] = []

    init(_ streams: [StreamDescription]) {
        for stream in streams { add(stream, isLate: false) }
    }

    /// Processes the next packet of any stream.
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

    /// Streams that were found during reading.
    var late: [Member] {
        members.filter { $0.value.isLate && $0.value.packets > 0 }.sorted { $0.key < $1.key }
            .map(\.value)
    }

    /// Late streams that are not needed, because another stream of their kind runs in parallel.
    var extras: [Member] {
        members.filter { $0.value.isLate && $0.value.packets > 0 && hasCompany($0.key) }
            .sorted { $0.key < $1.key }.map(\.value)
    }

    /// Streams that begin without a parallel stream of their kind, and are late or follow another
    /// stream.
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

    /// Returns whether an earlier stream of the same kind runs in parallel.
    private func hasCompany(_ index: Int) -> Bool {
        guard let member = members[index] else { return false }
        return members.contains { other, found in
            guard other != index, found.kind == member.kind, isBefore(other, index) else {
                return false
            }
            let first = member.first[safe: other]
            // A few packets count as parallel to any stream that continues after them.
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
    /// The count at an index; 0 for a stream that was unknown at the time of counting.
    fileprivate subscript(safe index: Int) -> Int { indices.contains(index) ? self[index] : 0 }
}
