internal import TakeupFFmpeg

/// Whether a transport stream starts or ends in the middle of a packet, or of a picture or a piece of sound: a sign
/// that it was cut.
///
/// - Note: Source: ISO/IEC 13818-1: packets of 188 bytes that start with 0x47; 192 with a time code before each.
enum TransportPackets {
    private static let forms: [(length: Int, sync: Int)] = [(188, 0), (192, 4), (204, 0)]
    /// How far from the end the last picture may begin.
    private static let tailBytes: Int64 = 4 << 20
    /// Packets of these numbers are tables.
    private static let firstUnit = 0x20
    private static let noUnit = 0x1FFF

    /// What one stream has begun last: a picture, or a piece of sound.
    private struct Unit {
        /// Bytes behind its first six, as these say; 0 where they do not.
        let told: Int
        var found: Int
        /// Whether its newest packet is filled up, as the last one is.
        var isFilledUp: Bool

        /// Without a length, one that happens to fill its last packet cannot be told from one that goes on.
        var isFinished: Bool { told > 0 ? found >= told + 6 : isFilledUp }
    }

    static func isCut(_ source: any ByteSource) -> Bool {
        isMisaligned(source) || endsWithinUnit(source)
    }

    /// Whether a stream's last picture or piece of sound goes on behind the end, though its packets are whole.
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
        // What follows the last whole packet is a cut one only if it begins like one.
        let rest = window.size % length
        guard rest > sync else { return false }
        return window[window.size - rest + sync] == 0x47
    }

    /// Bytes from one packet to the next, and before the first one; nil when there is no such row.
    static func form(_ window: ByteWindow) -> (length: Int64, sync: Int64)? {
        let found = forms.first { form in
            let places = (0..<3).map { Int64(form.sync + $0 * form.length) }
                .filter { $0 < window.size }
            return places.count > 1 && places.allSatisfy { window[$0] == 0x47 }
        }
        return found.map { (Int64($0.length), Int64($0.sync)) }
    }
}
