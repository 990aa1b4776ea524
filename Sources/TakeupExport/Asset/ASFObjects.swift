/// The objects in the header of an Advanced Systems Format file (WMV, WMA, DVR-MS).
///
/// - Note: Source: Advanced Systems Format 01.20.03 §2.1 (objects) and §10.1 to §10.3 (their identifiers).
struct ASFObjects {
    typealias Identifier = [UInt8]

    struct Object {
        let identifier: Identifier
        /// Offset of the object's identifier; a length of eight bytes follows the identifier.
        let place: Int64
        let size: Int64
    }

    static let header: Identifier = [
        0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE,
        0x6C,
    ]
    static let data: Identifier = [
        0x36, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE,
        0x6C,
    ]
    static let fileProperties: Identifier = [
        0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53,
        0x65,
    ]
    static let streamProperties: Identifier = [
        0x91, 0x07, 0xDC, 0xB7, 0xB7, 0xA9, 0xCF, 0x11, 0x8E, 0xE6, 0x00, 0xC0, 0x0C, 0x20, 0x53,
        0x65,
    ]
    static let headerExtension: Identifier = [
        0xB5, 0x03, 0xBF, 0x5F, 0x2E, 0xA9, 0xCF, 0x11, 0x8E, 0xE3, 0x00, 0xC0, 0x0C, 0x20, 0x53,
        0x65,
    ]
    /// Identifiers of the content encryption objects: plain, extended and advanced.
    static let encryptions: [Identifier] = [
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

    private static let headBytes: Int64 = 24
    private static let mostObjects = 10_000

    /// All objects of the header; a container object comes before its children.
    let all: [Object]
    /// End of the header as stated in the header, limited to the file's size.
    let end: Int64

    /// Offset of the file properties object; nil if missing.
    var fileProperties: Int64? {
        all.first { $0.identifier == Self.fileProperties }?.place
    }

    /// Fails if the file does not begin with this header.
    init?(_ window: ByteWindow) {
        guard let header = Self.object(window, at: 0, before: .max),
            header.identifier == Self.header, header.size >= 30
        else { return nil }
        end = min(window.size, header.size)
        all = Self.objects(window, 30..<max(30, end))
    }

    private static func object(_ window: ByteWindow, at place: Int64, before end: Int64) -> Object?
    {
        guard end - place >= headBytes, let size = window.littleEndian(at: place + 16, bytes: 8),
            size >= headBytes, size <= end - place
        else { return nil }
        let identifier = (0..<16).compactMap { window[place + $0] }
        return Object(identifier: identifier, place: place, size: size)
    }

    private static func objects(_ window: ByteWindow, _ range: Range<Int64>) -> [Object] {
        var found: [Object] = []
        var place = range.lowerBound
        // End offsets of the header extensions that enclose the current place.
        var ends: [Int64] = []
        while found.count < mostObjects {
            while let end = ends.last, place >= end {
                place = end
                ends.removeLast()
            }
            guard let object = object(window, at: place, before: range.upperBound) else {
                guard let end = ends.popLast() else { break }
                place = end
                continue
            }
            found.append(object)
            let isExtension = object.identifier == headerExtension && object.size >= 46
            if isExtension { ends.append(place + object.size) }
            place += isExtension ? 46 : object.size
        }
        return found
    }
}
