internal import TakeupFFmpeg

/// Follows the chunks of an AVI file that hold its media.
///
/// - Note: Source: Multimedia Programming Interface 1.0, AVI RIFF files, and OpenDML 1.02 §2: a name, a size and as
///   many bytes, padded to an even number.
struct RIFFChunks {
    private let window: ByteWindow

    init(_ window: ByteWindow) {
        self.window = window
    }

    /// Nil where each chunk follows the one before it, to the end of every list of media.
    func fault() -> ContainerWalk.Fault? {
        var place: Int64 = 0
        while let name = name(at: place), let size = size(at: place) {
            if name == "RIFF" {
                place += 12
                continue
            }
            let end = place + 8 + size
            if name == "LIST", self.name(at: place + 8) == "movi" {
                if let broken = hole(from: place + 12, to: min(end, window.size)) {
                    return .broken(at: broken)
                }
            }
            place = end + (size & 1)
        }
        return nil
    }

    /// Where something else than a chunk stands.
    private func hole(from start: Int64, to end: Int64) -> Int64? {
        var place = start
        while place + 8 <= end {
            guard let name = name(at: place), let size = size(at: place) else { return place }
            if name == "LIST" {
                place += 12
                continue
            }
            let next = place + 8 + size
            let padded = next + (size & 1)
            // Some writers leave out the padding.
            let isBare = padded + 8 <= end && self.name(at: padded) == nil
            place = isBare && self.name(at: next) != nil ? next : padded
        }
        return nil
    }

    /// A chunk's name: four characters that can be printed.
    private func name(at place: Int64) -> String? {
        var bytes: [UInt8] = []
        for index in 0..<Int64(4) {
            guard let byte = window[place + index], (0x20..<0x7F).contains(byte) else { return nil }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func size(at place: Int64) -> Int64? {
        window.littleEndian(at: place + 4, bytes: 4)
    }
}
