/// Follows the programmes of a transport stream, packet by packet, to places where they continue
/// under other PIDs.
///
/// Performs no I/O: the caller supplies the packets. A seam lies where a changed programme map
/// takes effect. The streams of both maps must restart there on another clock. Otherwise the stream
/// continues, and the new streams are added to it.
struct ProgrammeFollower {
    typealias Stream = TransportTables.Stream

    /// Longest clock step that is no jump: one second at 90 kHz.
    private static let longestStep: Int64 = 90_000
    private static let clockPeriod: Int64 = 1 << 33
    /// More packets than any table has: a section has at most 4,098 bytes.
    private static let mostTablePackets = 32

    /// A changed map that has not yet proved to take effect, or to do so cleanly.
    private struct Candidate {
        var seam: SourceSeam
        let types: [Int: UInt8]
        /// Streams of both maps that have not appeared yet.
        var open: Set<Int>
        /// First decoding times of the streams that have appeared.
        var times: [Int: Int64] = [:]
        var isClean = true
        /// Whether a stream has appeared that exists only in the new map.
        var isTaken = false
        /// Whether a stream of both maps appeared.
        var hasOld = false
    }

    private(set) var seams: [SourceSeam] = []
    private var assemblers: [Int: TransportTables.Assembler] = [0: .init()]
    private var programmes: [Int: Int] = [:]
    private var maps: [Int: Set<Stream>] = [:]
    /// Stream types of the current part by PID; `former` holds the PIDs of the previous part.
    private var types: [Int: UInt8] = [:]
    private var former: Set<Int> = []
    /// Latest decoding times of the current part's streams.
    private var times: [Int: Int64] = [:]
    private var candidate: Candidate?
    /// The newest packets of each table, and their offset.
    private(set) var tables: [Int: (place: Int64, bytes: [UInt8])] = [:]
    /// Offset after the newest packet of pictures or sound.
    private var quiet: Int64 = 0

    /// Processes the next packet.
    ///
    /// - Parameters:
    ///   - packet: The parsed packet.
    ///   - whole: The packet's bytes, with any container prefix.
    ///   - place: Offset of these bytes in the source.
    mutating func take(
        _ packet: TransportPacket, _ whole: UnsafeBufferPointer<UInt8>, at place: Int64
    ) {
        guard seams.count < SourceParts.most else { return }
        let pid = packet.pid
        if assemblers[pid] != nil {
            takeTable(packet, whole, place)
        } else if types[pid] != nil || former.contains(pid) || candidate?.types[pid] != nil {
            takeMedia(packet, place)
            quiet = place + Int64(whole.count)
        }
    }

    /// Signals the end of the packets.
    mutating func finish() {
        settle()
    }

    private mutating func takeTable(
        _ packet: TransportPacket, _ whole: UnsafeBufferPointer<UInt8>, _ place: Int64
    ) {
        let pid = packet.pid
        if packet.isStart { tables[pid] = (place, []) }
        tables[pid]?.bytes += whole
        if let table = tables[pid], table.bytes.count > Self.mostTablePackets * whole.count {
            tables[pid] = nil
        }
        guard let section = assemblers[pid]?.add(packet.payload, isStart: packet.isStart) else {
            return
        }
        if pid == 0, let found = TransportTables.programmes(section) {
            guard found != programmes else { return }
            programmes = found
            maps = maps.filter { found[$0.key] != nil }
            let known = assemblers
            assemblers = Dictionary(
                uniqueKeysWithValues: tablePIDs.map { ($0, known[$0] ?? .init()) })
        } else if let (programme, streams) = TransportTables.map(section),
            programmes[programme] == pid
        {
            maps[programme] = streams
            let all = maps.values.flatMap(\.self).map { ($0.pid, $0.type) }
            announce(Dictionary(all) { first, _ in first }, table: pid)
        }
    }

    private var tablePIDs: Set<Int> { Set(programmes.values).union([0]) }

    /// Processes the programmes' streams according to the tables from here on.
    private mutating func announce(_ found: [Int: UInt8], table: Int) {
        if candidate?.types == found { return }
        if candidate?.isTaken == true { settle() }
        candidate = nil
        guard !times.isEmpty else {
            types.merge(found) { $1 }
            return
        }
        guard found.contains(where: { types[$0.key] != $0.value }) else { return }
        let packets = [0, table].compactMap { tables[$0] }
        let isBehind = packets.contains { $0.place < quiet }
        candidate = Candidate(
            seam: SourceSeam(place: quiet, head: isBehind ? packets.flatMap(\.bytes) : []),
            types: found,
            open: Set(found.filter { types[$0.key] == $0.value && times[$0.key] != nil }.keys))
    }

    private mutating func takeMedia(_ packet: TransportPacket, _ place: Int64) {
        guard candidate == nil else { return follow(packet, place) }
        guard packet.isStart else { return }
        if types[packet.pid] != nil {
            times[packet.pid] = packet.time ?? times[packet.pid] ?? 0
        } else if let last = seams.indices.last {
            seams[last].strays += 1
        }
    }

    private mutating func follow(_ packet: TransportPacket, _ place: Int64) {
        guard var next = candidate else { return }
        let pid = packet.pid
        if let type = next.types[pid] {
            if next.open.remove(pid) != nil {
                next.hasOld = true
                if !restarts(packet, type) { next.isClean = false }
            } else if types[pid] != type, packet.isStart, !next.isTaken {
                next.isTaken = true
                // The old streams continued for a while and end here.
                if next.seam.strays > 0, !next.hasOld { next.seam = seam(at: place) }
            }
            if packet.isStart { next.times[pid] = packet.time ?? next.times[pid] ?? 0 }
        } else if packet.isStart {
            next.seam.strays += 1
        }
        candidate = next
        if next.isTaken, next.open.isEmpty || !next.isClean { settle() }
    }

    /// Creates a seam that includes the tables.
    private func seam(at place: Int64) -> SourceSeam {
        let packets = tables.filter { tablePIDs.contains($0.key) }.map(\.value)
        return SourceSeam(
            place: place, head: packets.sorted { $0.place < $1.place }.flatMap(\.bytes))
    }

    /// Returns whether a stream of both maps restarts on another clock.
    private func restarts(_ packet: TransportPacket, _ type: UInt8) -> Bool {
        guard packet.isStart else { return false }
        if TransportTables.isPicture(type), !packet.beginsGroup(type) { return false }
        guard let time = packet.time, let last = times[packet.pid] else { return true }
        return (time - last + Self.clockPeriod) % Self.clockPeriod > Self.longestStep
    }

    /// Decides whether a changed map makes a seam.
    private mutating func settle() {
        guard let found = candidate else { return }
        candidate = nil
        guard found.isTaken else { return }
        if found.isClean {
            seams.append(found.seam)
            former = Set(types.keys).subtracting(found.types.keys)
            times = found.times
        } else {
            times.merge(found.times) { $1 }
        }
        types = found.types
    }
}
