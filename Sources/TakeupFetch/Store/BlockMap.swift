internal import TakeupFiles

/// Records which bytes of one version are present, and which of them would survive a kill.
///
/// Written bytes count as present at once. Whole blocks are recorded in the journal with a checksum
/// and then survive a kill. A power cut may still destroy them until they are synced.
struct BlockMap: Equatable {
    static let blockBytes: Int64 = 262_144
    /// The longest supported source, in bytes, limited by the range of block numbers.
    static let mostBytes = Int64(JournalRecord.firstMark) * blockBytes

    private(set) var length: Int64?
    private(set) var present = RangeSet()
    /// Recorded blocks.
    private(set) var stored: [UInt32: StoredBlock] = [:]
    /// Recorded blocks that have not been compared with their checksum since the opening.
    private(set) var unchecked: Set<UInt32> = []
    /// Recorded blocks that may not be on the disk yet.
    private(set) var unsynced: Set<UInt32> = []
    /// Completely present blocks that are not recorded yet.
    private(set) var full: Set<UInt32> = []
    private(set) var notedBytes: Int64 = 0
    /// Bytes written since the last commit.
    private(set) var uncommittedBytes: Int64 = 0

    init(length: Int64? = nil) {
        self.length = length
    }

    static func block(at offset: Int64) -> UInt32 { UInt32(offset / blockBytes) }

    static func end(ofBlockAt offset: Int64) -> Int64 {
        (offset / blockBytes + 1) * blockBytes
    }

    /// Returns the byte range of a block; the last block ends with the source.
    func range(of block: UInt32) -> Range<Int64> {
        let start = Int64(block) * Self.blockBytes
        return start..<max(start, min(start + Self.blockBytes, length ?? .max))
    }

    var isComplete: Bool { length == present.byteCount && isNoted }
    /// Whether every present byte would survive a kill.
    var isNoted: Bool { full.isEmpty && notedBytes == present.byteCount }
    /// Offset after the last present byte.
    var end: Int64 { present.ranges.last?.upperBound ?? 0 }

    /// The present and checked bytes at an offset, or the block that must be checked first.
    enum Next: Equatable {
        case absent
        case check(UInt32, StoredBlock)
        case bytes(Int)
    }

    func next(at offset: Int64, most count: Int) -> Next {
        let end = min(present.prefixEnd(from: offset), offset + Int64(count))
        guard end > offset else { return .absent }
        var place = offset
        while place < end {
            let block = Self.block(at: place)
            if unchecked.contains(block), let stored = stored[block] {
                return place == offset ? .check(block, stored) : .bytes(Int(place - offset))
            }
            place = Self.end(ofBlockAt: place)
        }
        return .bytes(Int(end - offset))
    }

    /// Records bytes that were written.
    mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        present.insert(range)
        uncommittedBytes += range.upperBound - range.lowerBound
        noteFull(in: range)
    }

    private mutating func noteFull(in range: Range<Int64>) {
        for block in Self.block(at: range.lowerBound)...Self.block(at: range.upperBound - 1)
        where stored[block] == nil && present.contains(self.range(of: block)) {
            full.insert(block)
        }
    }

    /// Sets the length if it was unknown.
    ///
    /// - Returns: `false` if bytes exist beyond it, or if a different length is already set.
    mutating func learn(_ length: Int64) -> Bool {
        guard end <= length, self.length == nil else { return self.length == length }
        self.length = length
        if let last = present.ranges.last, last.upperBound == length {
            noteFull(in: (length - 1)..<length)
        }
        return true
    }

    /// Marks a block as recorded in the journal.
    mutating func note(_ block: UInt32, _ stored: StoredBlock) {
        full.remove(block)
        unchecked.remove(block)
        unsynced.insert(block)
        store(block, stored)
    }

    /// Marks blocks as synced to the disk.
    mutating func markSynced(_ blocks: Set<UInt32>) { unsynced.subtract(blocks) }

    private mutating func store(_ block: UInt32, _ stored: StoredBlock) {
        notedBytes += Int64(stored.byteCount) - Int64(self.stored[block]?.byteCount ?? 0)
        self.stored[block] = stored
    }

    /// Marks the end of a commit, even if full blocks remain.
    mutating func endCommit() { uncommittedBytes = 0 }

    mutating func markChecked(_ block: UInt32) { unchecked.remove(block) }

    /// Forgets a block.
    mutating func drop(_ block: UInt32) {
        notedBytes -= Int64(stored.removeValue(forKey: block)?.byteCount ?? 0)
        unchecked.remove(block)
        unsynced.remove(block)
        full.remove(block)
        present.remove(range(of: block))
    }

    /// Forgets everything that may not be on the disk.
    mutating func dropUnsynced() {
        for block in unsynced { drop(block) }
        present = RangeSet()
        for (block, stored) in stored.sorted(by: { $0.key < $1.key }) {
            present.insert(byteRange(block, stored))
        }
        full = []
        uncommittedBytes = 0
    }

    /// Applies a journal record; ignores one that contradicts known facts.
    mutating func apply(_ record: JournalRecord) {
        switch record {
        case .block(let block, let stored):
            let range = byteRange(block, stored)
            guard stored.byteCount > 0, range == self.range(of: block) else { return }
            store(block, stored)
            unchecked.insert(block)
            full.remove(block)
            present.insert(range)
        case .dropped(let block): drop(block)
        case .length(let length): if length >= 0, length <= Self.mostBytes { _ = learn(length) }
        case .complete, .piece: break
        }
    }

    private func byteRange(_ block: UInt32, _ stored: StoredBlock) -> Range<Int64> {
        let start = Int64(block) * Self.blockBytes
        return start..<(start + Int64(stored.byteCount))
    }

    /// Forgets the blocks that lie beyond a file's size.
    mutating func cut(to fileBytes: Int64) {
        for (block, stored) in stored where byteRange(block, stored).upperBound > fileBytes {
            drop(block)
        }
    }
}
