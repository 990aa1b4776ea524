/// Finds a second picture in a file of JPEG XL or TIFF, of which FFmpeg decodes only the first.
enum FollowingPicture {
    private static let exif = Array("Exif\0\0".utf8)

    /// - Returns: Where the second picture begins; nil if none is found.
    static func find(_ window: ByteWindow, _ container: String) -> Int64? {
        let bytes: Int64
        switch container {
        case "jpegxl_pipe": bytes = 8
        case "tiff_pipe": bytes = 4
        default: return nil
        }
        let mark = (0..<bytes).compactMap { window[$0] }
        guard let first = mark.first, mark.count == bytes else { return nil }
        var place: Int64 = 1
        while let found = window.firstIndex(of: first, from: place, before: window.size) {
            if window.has(mark, at: found), container != "tiff_pipe" || isDirectory(window, found) {
                return found
            }
            place = found + 1
        }
        return nil
    }

    /// Returns whether a TIFF's head and directory lie at an offset, other than those of a preview's Exif.
    ///
    /// - Note: Source: TIFF 6.0, section 2: the offset of a directory, its number of entries, the first one's tag.
    private static func isDirectory(_ window: ByteWindow, _ place: Int64) -> Bool {
        let isLittle = window[place] == 0x49
        let number = { (offset: Int64, bytes: Int64) in
            isLittle
                ? window.littleEndian(at: offset, bytes: bytes)
                : window.number(at: offset, bytes: bytes)
        }
        guard !window.has(exif, at: place - 6), let offset = number(place + 4, 4), offset >= 8,
            let count = number(place + offset, 2), let tag = number(place + offset + 2, 2)
        else { return false }
        return (1...1000).contains(count) && (254...330).contains(tag)
    }
}
