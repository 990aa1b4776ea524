internal import TakeupFiles
internal import TakeupLanes

/// The pieces that make up a playlist's stream.
extension SourceFile {
    /// The first piece that is not completely present.
    var nextPiece: PieceSizes.Place {
        state.withLock { $0.pieces.next($0.map.present) }
    }

    /// Returns whether a piece equals the stored bytes at its place, in length and content.
    ///
    /// - Throws: `FetchError.changed`; `.storage`.
    func agrees(
        with bytes: [UInt8], as place: PieceSizes.Place, generation: Int64
    ) throws(FetchError) -> Bool {
        let whole = place.start..<(place.start + Int64(bytes.count))
        let (known, here) = state.withLock { state in
            (state.pieces.byteCount(of: place.number), state.map.present.intersection(whole))
        }
        guard known ?? Int64(bytes.count) == Int64(bytes.count) else { return false }
        for range in here.ranges {
            guard try isSame(bytes, from: place.start, in: range, generation) else { return false }
        }
        return true
    }

    private func isSame(
        _ bytes: [UInt8], from start: Int64, in range: Range<Int64>, _ generation: Int64
    ) throws(FetchError) -> Bool {
        var room = [UInt8](repeating: 0, count: Int(BlockMap.blockBytes))
        var place = range.lowerBound
        while place < range.upperBound {
            let most = min(range.upperBound - place, BlockMap.blockBytes)
            let count = try room.fill(Int(most)) { (target) throws(FetchError) in
                try read(into: target, at: place, generation: generation)
            }
            let first = Int(place - start)
            guard room[..<count] == bytes[first..<(first + count)] else { return false }
            // A read of 0 bytes means that a block failed its check and was dropped: skip the
            // block.
            place = count > 0 ? place + Int64(count) : BlockMap.end(ofBlockAt: place)
        }
        return true
    }

    /// Records the length of a piece, also in the journal, so that the length survives a kill.
    ///
    /// - Throws: `FetchError.storage`.
    func notePiece(
        _ number: Int, byteCount: Int, generation: Int64
    ) throws(FetchError) {
        try writing.withLock { (writing) throws(FetchError) in
            let isNew = state.withLock { state in
                state.generation == generation && state.pieces.ends.count == number
            }
            guard isNew, passingCause == nil else { return }
            writing.requireWriter()
            let record = JournalRecord.piece(UInt32(number), byteCount: UInt32(byteCount))
            try writing.append([record], generation: generation, isSynced: false)
            state.withLock { $0.pieces.apply(record) }
        }
    }
}

extension [UInt8] {
    /// Lets a closure fill the first bytes.
    fileprivate mutating func fill(
        _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(FetchError) -> Int
    ) throws(FetchError) -> Int {
        var result: Result<Int, FetchError> = .success(0)
        withUnsafeMutableBytes { room in
            let target = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
            result = Result { () throws(FetchError) in try body(target) }
        }
        return try result.get()
    }
}
