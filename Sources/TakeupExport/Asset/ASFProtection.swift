/// Looks for the objects and flags by which an ASF file (WMV, WMA, DVR-MS) says that it is encrypted.
///
/// - Note: Source: Advanced Systems Format 01.20.03 §3.3, §3.14 to §3.16 and §3.4.
struct ASFProtection {
    private static let header: [UInt8] = [
        0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE,
        0x6C,
    ]
    private static let headerExtension: [UInt8] = [
        0xB5, 0x03, 0xBF, 0x5F, 0x2E, 0xA9, 0xCF, 0x11, 0x8E, 0xE3, 0x00, 0xC0, 0x0C, 0x20, 0x53,
        0x65,
    ]
    private static let streamProperties: [UInt8] = [
        0x91, 0x07, 0xDC, 0xB7, 0xB7, 0xA9, 0xCF, 0x11, 0x8E, 0xE6, 0x00, 0xC0, 0x0C, 0x20, 0x53,
        0x65,
    ]
    /// The content encryption objects: plain, extended and advanced.
    private static let encryptions: [[UInt8]] = [
        [
            0xFB, 0xB3, 0x11, 0x22, 0x23, 0xBD, 0xD2, 0x11, 0xB4, 0xB7, 0x00, 0xA0, 0xC9, 0x55,
            0xFC, 0x6E,
        ],
        [
            0x14, 0xE6, 0x8A, 0x29, 0x22, 0x26, 0x17, 0x4C, 0xB9, 0x35, 0xDA, 0xE0, 0x7E, 0xE9,
            0x28, 0x9C,
        ],
        [
            0x33, 0x85, 0x05, 0x43, 0x81, 0x69, 0xE6, 0x49, 0x9B, 0x74, 0xAD, 0x12, 0xCB, 0x86,
            0xD5, 0x8C,
        ],
    ]
    private static let mostObjects = 10_000

    private let window: ByteWindow

    init(_ window: ByteWindow) {
        self.window = window
    }

    /// Why the file counts as protected; nil when nothing says so.
    var reason: String? {
        guard identifier(at: 0) == Self.header, let size = size(at: 0) else { return nil }
        return reason(in: 30..<max(30, min(window.size, size)))
    }

    private func reason(in range: Range<Int64>) -> String? {
        var place = range.lowerBound
        for _ in 0..<Self.mostObjects {
            guard place + 24 <= range.upperBound, let identifier = identifier(at: place),
                let size = size(at: place), size >= 24, size <= range.upperBound - place
            else { return nil }
            if Self.encryptions.contains(identifier) { return "its content is encrypted (DRM)" }
            if identifier == Self.streamProperties, isEncrypted(at: place) {
                return "one of its streams is encrypted (DRM)"
            }
            if identifier == Self.headerExtension, size >= 46,
                let reason = reason(in: place + 46..<place + size)
            {
                return reason
            }
            place += size
        }
        return nil
    }

    /// The flag of a stream: type and error correction, offset and two lengths stand before it.
    private func isEncrypted(at place: Int64) -> Bool {
        window[place + 24 + 48 + 1].map { $0 & 0x80 != 0 } ?? false
    }

    private func identifier(at place: Int64) -> [UInt8]? {
        let bytes = (0..<16).compactMap { window[place + $0] }
        return bytes.count == 16 ? bytes : nil
    }

    /// A little-endian length; nil when no file is that long.
    private func size(at place: Int64) -> Int64? {
        window.littleEndian(at: place + 16, bytes: 8)
    }
}
