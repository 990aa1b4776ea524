/// Walks a GIF from block to block.
///
/// - Note: Source: GIF89a: a trailer of 0x3B ends the file.
struct GIFWalk {
    private let window: ByteWindow

    init(_ window: ByteWindow) {
        self.window = window
    }

    func fault() -> ContainerWalk.Fault? { walk(from: 0).fault }

    /// Returns where the file that begins at an offset ends; nil if it is cut or damaged.
    func end(from start: Int64) -> Int64? { walk(from: start).end }

    private func walk(from start: Int64) -> (fault: ContainerWalk.Fault?, end: Int64?) {
        guard let flags = window[start + 10] else { return (.cut, nil) }
        var place = start + 13 + colours(flags)
        while let kind = window[place] {
            switch kind {
            case 0x3B: return (nil, place + 1)
            case 0x21: place += 2
            case 0x2C:
                guard let flags = window[place + 9] else { return (.cut, nil) }
                place += 11 + colours(flags)
            default: return (.broken(at: place), nil)
            }
            guard let next = afterSubBlocks(place) else { return (.cut, nil) }
            place = next
        }
        return (.cut, nil)
    }

    /// Returns the size of a colour table, in bytes.
    private func colours(_ flags: UInt8) -> Int64 {
        flags & 0x80 == 0 ? 0 : 3 << (Int64(flags & 7) + 1)
    }

    private func afterSubBlocks(_ start: Int64) -> Int64? {
        var place = start
        while let length = window[place] {
            place += 1 + Int64(length)
            if length == 0 { return place }
        }
        return nil
    }
}
