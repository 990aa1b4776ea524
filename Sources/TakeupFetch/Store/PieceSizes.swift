internal import TakeupFiles

/// The lengths of the pieces that make up a playlist's stream, from the first piece on.
///
/// The lengths tell which pieces are present and where each piece's bytes go when a download
/// resumes.
struct PieceSizes: Equatable {
    /// The end offset of each piece, in bytes.
    private(set) var ends: [Int64] = []

    /// A piece and the offset of its first byte.
    struct Place: Equatable {
        var number: Int
        var start: Int64
    }

    /// - Returns: nil for a piece of unknown length.
    func byteCount(of number: Int) -> Int64? {
        guard ends.indices.contains(number) else { return nil }
        return ends[number] - (number == 0 ? 0 : ends[number - 1])
    }

    /// Appends the next piece's length; known lengths do not change.
    mutating func note(_ number: Int, byteCount: Int64) {
        guard number == ends.count else { return }
        ends.append((ends.last ?? 0) + byteCount)
    }

    /// Returns the first piece that is not completely present, or the place after all known pieces.
    func next(_ present: RangeSet) -> Place {
        let here = present.prefixEnd(from: 0)
        // Find the first piece that ends after the present bytes.
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = low + (high - low) / 2
            if ends[middle] > here { high = middle } else { low = middle + 1 }
        }
        return Place(number: low, start: low == 0 ? 0 : ends[low - 1])
    }
}
