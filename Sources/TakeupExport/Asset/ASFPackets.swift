internal import TakeupFFmpeg
internal import TakeupTimeline

/// Walks the data packets of an Advanced Systems Format file, which all have the same size.
///
/// - Note: Source: Advanced Systems Format 01.20.03 §3.2 (file properties), §5.1 (data object), §5.2 (data packets).
struct ASFPackets {
    /// The first byte of a packet with two bytes of error correction data, which all writers use.
    private static let mark: UInt8 = 0x82

    /// Number of packets searched for the mark; if none has the mark, the packets have another
    /// form.
    private static let mostSearched = 1_000_000

    private let window: ByteWindow
    private let first: Int64
    private let size: Int64
    private let end: Int64
    /// Whether the file states where its packets end; otherwise an index may follow them.
    private let knowsEnd: Bool

    /// Fails if the packets are not found or differ in size.
    init?(_ window: ByteWindow) {
        guard let objects = ASFObjects(window),
            let place = objects.fileProperties,
            window.has(ASFObjects.data, at: objects.end),
            let length = window.littleEndian(at: objects.end + 16, bytes: 8),
            let least = window.littleEndian(at: place + 92, bytes: 4),
            let most = window.littleEndian(at: place + 96, bytes: 4), least == most, least > 16
        else { return nil }
        self.window = window
        size = least
        first = objects.end + 50
        // A live broadcast does not know its length.
        let (told, overflow) = objects.end.addingReportingOverflow(length)
        knowsEnd = (window[place + 88] ?? 1) & 1 == 0 && !overflow && length > 50
        end = knowsEnd ? min(told, window.size) : window.size
        let places = stride(from: first, to: end, by: Int(size)).prefix(Self.mostSearched)
        guard places.contains(where: { window[$0] == Self.mark }) else { return nil }
    }

    /// Returns the ranges where packets are missing, with their lost duration; nil if all packets
    /// exist.
    func fault() -> ContainerWalk.Fault? {
        var broken: [Int64] = []
        var missing = MediaTime.zero
        var (good, lost): (Int64, Int64) = (0, 0)
        var newest: MediaTime?
        var place = first
        while place + size <= end {
            defer { place += size }
            guard window[place] == Self.mark else {
                if lost == 0 { broken.append(place) }
                lost += 1
                continue
            }
            let time = sendTime(place)
            if lost > 0, let time, time > newest ?? .zero {
                let share = Double(lost) / Double(lost + 1)
                let passed = time - (newest ?? .zero)
                missing = missing + MediaTime(seconds: passed.seconds * share)
            }
            lost = 0
            good += 1
            newest = time ?? newest
        }
        // An index begins with an identifier; unwritten bytes are zeros.
        if lost > 0, !knowsEnd, window[place - lost * size] != 0 {
            broken.removeLast()
        } else if lost > 0, let newest {
            missing = missing + MediaTime(seconds: newest.seconds * Double(lost) / Double(good))
        }
        return broken.first.map { .broken(at: $0, missing: missing) }
    }

    /// Returns a packet's send time, stored in milliseconds; nil if not stated.
    private func sendTime(_ place: Int64) -> MediaTime? {
        guard let types = window[place + 3] else { return nil }
        // The lengths of the packet, of its sequence and of its padding come first.
        let widths: [Int64] = [0, 1, 2, 4]
        let skipped = [types >> 5, types >> 1, types >> 3].map { widths[Int($0 & 3)] }.reduce(0, +)
        guard let value = window.littleEndian(at: place + 5 + skipped, bytes: 4) else { return nil }
        return MediaTime(value: value, timescale: 1000)
    }
}
