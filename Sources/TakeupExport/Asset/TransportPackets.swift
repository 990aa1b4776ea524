internal import TakeupFFmpeg

/// Detects whether a transport stream starts or ends within a packet, picture or block of sound: a
/// sign of truncation.
///
/// - Note: Source: ISO/IEC 13818-1: packets of 188 bytes that start with 0x47; 192 with a time code
///   before each.
enum TransportPackets {
    private static let forms: [(length: Int, sync: Int)] = [(188, 0), (192, 4), (204, 0)]
    /// How many bytes before the end the last picture may begin.
    private static let tailBytes: Int64 = 4 << 20
    /// Packets with a lower PID than this are tables.
    private static let firstUnit = 0x20
    private static let noUnit = 0x1FFF

    /// The newest unit of a stream: a picture or a block of sound.
    private struct Unit {
        /// Number of stated bytes after the first six; 0 if not stated.
        let told: Int
        var found: Int
        /// Whether the unit's newest packet has stuffing, as its last packet has.
        var isFilledUp: Bool

        /// Without a length, a unit that exactly fills its last packet looks unfinished.
        var isFinished: Bool { told > 0 ? found >= told + 6 : isFilledUp }
    }

    static func isCut(_ source: any ByteSource) -> Bool {
        isMisaligned(source) || endsWithinUnit(source)
    }

    /// Returns whether a stream's last picture or block of sound is incomplete, although its
    /// packets are whole.
    ///
    /// - Note: Source: ISO/IEC 13818-1 §2.4.3.6 (PES packets), §2.4.3.5 (stuffing).
    private static func endsWithinUnit(_ source: any ByteSource) -> Bool {
        guard let window = ByteWindow(source), let form = form(window) else { return false }
        let (length, sync) = (Int(form.length), Int(form.sync))
        let start = max(0, (window.size - tailBytes) / form.length * form.length)
        var tail = [UInt8](repeating: 0, count: Int(window.size - start))
        guard let count = try? source.bytes(at: start, into: &tail) else { return false }
        var units: [Int: Unit] = [:]
        tail.withUnsafeBufferPointer { bytes in
            for place in stride(from: sync, through: count - TransportPacket.length, by: length)
            where bytes[place] == 0x47 {
                let end = place + TransportPacket.length
                note(TransportPacket(UnsafeBufferPointer(rebasing: bytes[place..<end])), &units)
            }
        }
        return units.values.contains { !$0.isFinished }
    }

    private static func note(_ packet: TransportPacket, _ units: inout [Int: Unit]) {
        let (pid, payload) = (packet.pid, packet.payload)
        guard pid >= firstUnit, pid != noUnit, !payload.isEmpty else { return }
        if packet.isStart {
            let isUnit = payload.count >= 6 && payload.starts(with: [0, 0, 1])
            let told = isUnit ? Int(payload[4]) << 8 | Int(payload[5]) : 0
            units[pid] =
                isUnit
                ? Unit(told: told, found: payload.count, isFilledUp: packet.isFilledUp) : nil
        } else {
            units[pid]?.found += payload.count
            units[pid]?.isFilledUp = packet.isFilledUp
        }
    }

    private static func isMisaligned(_ source: any ByteSource) -> Bool {
        guard let window = ByteWindow(source) else { return false }
        guard let (length, sync) = form(window) else { return true }
        // The bytes after the last whole packet are a truncated packet only if they begin like one.
        let rest = window.size % length
        guard rest > sync else { return false }
        return window[window.size - rest + sync] == 0x47
    }

    /// Returns the packet spacing and the offset of the sync byte; nil if the packets are not
    /// evenly spaced.
    static func form(_ window: ByteWindow) -> (length: Int64, sync: Int64)? {
        let found = forms.first { form in
            let places = (0..<3).map { Int64(form.sync + $0 * form.length) }
                .filter { $0 < window.size }
            return places.count > 1 && places.allSatisfy { window[$0] == 0x47 }
        }
        return found.map { (Int64($0.length), Int64($0.sync)) }
    }
}
