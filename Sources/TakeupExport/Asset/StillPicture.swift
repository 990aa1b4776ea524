internal import TakeupFFmpeg

/// Finds the end of a file's only still picture, if other bytes follow it.
///
/// FFmpeg takes what follows for further pictures, or does not recognise the file. Phones store a
/// short film behind a JPEG, or other views of the same scene (CIPA DC-007).
struct StillPicture {
    /// Number of bytes after a picture that are searched for another one.
    private static let reach: Int64 = 4 << 20
    /// Highest number of markers in a JPEG.
    private static let mostMarkers = 100_000
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]

    private let window: ByteWindow

    init(_ window: ByteWindow) {
        self.window = window
    }

    /// Returns where the picture ends; nil if the file is no PNG or JPEG, ends with its picture, or
    /// may hold several pictures of a film.
    func end() -> Int64? {
        if window.has(Self.png, at: 0) {
            guard let end = portable(), end < window.size, isLast(Self.png, end) else { return nil }
            return end
        }
        guard window.has(Self.jpeg, at: 0), let (end, isMain) = photograph(),
            end < window.size
        else { return nil }
        let isFilm = window.has(Array("ftyp".utf8), at: end + 4)
        return isMain || isFilm || isLast(Self.jpeg, end) ? end : nil
    }

    /// Returns whether no other picture begins after an offset.
    private func isLast(_ mark: [UInt8], _ place: Int64) -> Bool {
        guard window.size - place <= Self.reach else { return false }
        var next = place
        while let found = window.firstIndex(of: mark[0], from: next, before: window.size) {
            if window.has(mark, at: found) { return false }
            next = found + 1
        }
        return window.failure == nil
    }

    /// - Note: Source: Portable Network Graphics 1.2 §3: chunks of a length, a name, content and a checksum.
    private func portable() -> Int64? {
        var place = Int64(Self.png.count)
        while let size = window.number(at: place, bytes: 4) {
            let name = window.number(at: place + 4, bytes: 4)
            // An animated picture.
            if name == 0x6163_544C { return nil }
            place += 12 + size
            if name == 0x4945_4E44 { return place }
        }
        return nil
    }

    /// - Returns: The end, and whether the picture says that others in the file belong to it.
    /// - Note: Source: ITU-T T.81 §B.1.1: markers with a length, and data between them, in which 0 or a
    ///   restart follows 0xFF.
    private func photograph() -> (end: Int64, isMain: Bool)? {
        var place: Int64 = 2
        var isMain = false
        for _ in 0..<Self.mostMarkers {
            guard let mark = marker(from: place), let kind = window[mark + 1] else { return nil }
            if kind == 0xD9 { return (mark + 2, isMain) }
            guard let length = window.number(at: mark + 2, bytes: 2), length >= 2 else {
                return nil
            }
            if kind == 0xE2, window.has(Array("MPF".utf8) + [0], at: mark + 4) { isMain = true }
            place = mark + 2 + length
        }
        return nil
    }

    /// Returns where the next marker begins that is neither data, a restart nor filling.
    private func marker(from place: Int64) -> Int64? {
        var next = place
        while let mark = window.firstIndex(of: 0xFF, from: next, before: window.size) {
            guard let kind = window[mark + 1] else { return nil }
            if kind != 0, kind != 0xFF, !(0xD0...0xD7).contains(kind) { return mark }
            next = mark + (kind == 0xFF ? 1 : 2)
        }
        return nil
    }
}
