/// Walks raw PPM, PGM and PBM from picture to picture.
///
/// - Note: Source: the Netpbm manuals: a mark, width, height and, except in PBM, the highest value, each after white
///   space or comments; one byte of white space, then the pixels.
struct PixmapWalk {
    private static let containers: Set = ["pbm_pipe", "pgm_pipe", "ppm_pipe"]
    private static let space: Set<UInt8> = [0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20]
    /// Most bytes of a comment, or of white space behind the last picture.
    private static let most: Int64 = 4096

    private let window: ByteWindow

    /// Fails for all other containers.
    init?(_ window: ByteWindow, _ container: String) {
        guard Self.containers.contains(container) else { return nil }
        self.window = window
    }

    /// Returns the number of pictures if nothing but white space follows the last one.
    func picturesBeforeSpace() -> Int? {
        var (place, pictures): (Int64, Int) = (0, 0)
        while let end = end(of: place), end <= window.size, end > place {
            (place, pictures) = (end, pictures + 1)
        }
        guard pictures > 0, window.size - place <= Self.most, place < window.size else {
            return nil
        }
        return (place..<window.size).allSatisfy { isSpace($0) } ? pictures : nil
    }

    private func isSpace(_ place: Int64) -> Bool { window[place].map(Self.space.contains) ?? false }

    /// Returns where the picture that begins at an offset must end; nil if none begins there.
    private func end(of start: Int64) -> Int64? {
        guard window[start] == 0x50, let kind = window[start + 1], (0x34...0x36).contains(kind)
        else { return nil }
        var place = start + 2
        guard let width = number(&place), let height = number(&place), width > 0 else { return nil }
        var row = (width + 7) / 8
        if kind != 0x34 {
            guard let highest = number(&place) else { return nil }
            row = width * (highest > 255 ? 2 : 1) * (kind == 0x36 ? 3 : 1)
        }
        return place + 1 + row * height
    }

    /// Reads a number of up to nine digits, and moves behind it.
    private func number(_ place: inout Int64) -> Int64? {
        let limit = place + Self.most
        while place < limit, isSpace(place) || window[place] == 0x23 {
            if window[place] == 0x23 {
                guard let line = window.firstIndex(of: 0x0A, from: place, before: limit) else {
                    return nil
                }
                place = line
            }
            place += 1
        }
        var (value, digits): (Int64, Int) = (0, 0)
        while digits < 9, let byte = window[place], (0x30...0x39).contains(byte) {
            value = value * 10 + Int64(byte - 0x30)
            (place, digits) = (place + 1, digits + 1)
        }
        return digits > 0 ? value : nil
    }
}
