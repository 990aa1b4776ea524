internal import TakeupFFmpeg

/// Whether a transport stream starts or ends in the middle of a packet: a sign that it was cut.
///
/// - Note: Source: ISO/IEC 13818-1: packets of 188 bytes that start with 0x47; 192 with a time code before each.
enum TransportPackets {
    private static let forms: [(length: Int, sync: Int)] = [(188, 0), (192, 4), (204, 0)]

    static func isMisaligned(_ source: any ByteSource, _ container: String) -> Bool {
        guard container == "mpegts", let window = ByteWindow(source) else { return false }
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
