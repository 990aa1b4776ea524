internal import TakeupFiles

/// How long the pieces are that a stream was put together of, from the first one on.
///
/// It tells which pieces are here, and where the bytes of each go, when the stream is gone on with.
struct PieceSizes: Equatable {
    /// Where each ends.
    private(set) var ends: [Int64] = []

    /// A piece and where its bytes go.
    struct Place: Equatable {
        var number: Int
        var start: Int64
    }

    /// - Returns: nil for a piece that is not known yet.
    func byteCount(of number: Int) -> Int64? {
        guard ends.indices.contains(number) else { return nil }
        return ends[number] - (number == 0 ? 0 : ends[number - 1])
    }

    /// Takes the next piece; what is known of others stays.
    mutating func note(_ number: Int, byteCount: Int64) {
        guard number == ends.count else { return }
        ends.append((ends.last ?? 0) + byteCount)
    }

    /// The first piece of which something is not here, or the one behind all that are known.
    func next(_ present: RangeSet) -> Place {
        let here = present.prefixEnd(from: 0)
        // The first that ends behind what is here.
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = low + (high - low) / 2
            if ends[middle] > here { high = middle } else { low = middle + 1 }
        }
        return Place(number: low, start: low == 0 ? 0 : ends[low - 1])
    }
}
