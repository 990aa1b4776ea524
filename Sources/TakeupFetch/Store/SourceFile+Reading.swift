internal import Foundation
internal import TakeupLanes

extension SourceFile {
    /// Copies present bytes from an offset on; compares each block with its checksum on first use.
    ///
    /// - Parameters:
    ///   - target: The destination; its size limits the read.
    ///   - offset: Offset of the first byte.
    ///   - generation: The generation with which the reader began (`status`).
    /// - Returns: The number of bytes; 0 if the first byte is missing, or failed its check and was
    ///   dropped.
    /// - Throws: `FetchError.changed` once another version has begun; `.storage`.
    public func read(
        into target: UnsafeMutableRawBufferPointer, at offset: Int64, generation: Int64
    ) throws(FetchError) -> Int {
        var done = 0
        while done < target.count {
            let place = offset + Int64(done)
            let (next, data) = try state.withLock { (state) throws(FetchError) in
                guard state.generation == generation else { throw .changed(address: address) }
                let next = state.map.next(at: place, most: target.count - done)
                // Bytes in memory may be dropped at any time, so copy them under the lock.
                if case .bytes(let count) = next, let passing = state.passing {
                    let part = target[done..<(done + count)]
                    let isHere = passing.read(
                        into: UnsafeMutableRawBufferPointer(rebasing: part), at: place)
                    return (isHere ? next : .absent, nil as StoredFile?)
                }
                return (next, state.data)
            }
            switch next {
            case .absent: return done
            case .check(let block, _):
                guard try check(block, generation: generation) else { return done }
            case .bytes(let count):
                guard let data else {
                    done += count
                    continue
                }
                let part = UnsafeMutableRawBufferPointer(rebasing: target[done..<(done + count)])
                guard try readWhole(data, part, place) else {
                    drop(BlockMap.block(at: place), generation: generation) { _ in true }
                    return done
                }
                done += count
            }
        }
        return done
    }

    /// - Returns: `false` if the disk has lost some of the bytes.
    private func readWhole(
        _ data: StoredFile, _ target: UnsafeMutableRawBufferPointer, _ offset: Int64
    ) throws(FetchError) -> Bool {
        do throws(FetchError) {
            return try data.read(into: target, at: offset) == target.count
        } catch .storage(_, EIO) {
            return false
        }
    }

    /// Compares a block with its checksum; a wrong block is dropped and counts as missing.
    ///
    /// - Returns: Whether the block is valid.
    func check(_ block: UInt32, generation: Int64) throws(FetchError) -> Bool {
        let (stored, data, start) = try state.withLock { (state) throws(FetchError) in
            guard state.generation == generation else { throw .changed(address: address) }
            return (state.map.stored[block], state.data, state.map.range(of: block).lowerBound)
        }
        guard let stored else { return false }
        let isGood = try StoredBlock(data, at: start, byteCount: stored.byteCount) == stored
        guard isGood else {
            drop(block, generation: generation) { $0.unchecked.contains(block) }
            return false
        }
        state.withLock { state in
            if state.generation == generation, state.map.stored[block] == stored {
                state.map.markChecked(block)
            }
        }
        return true
    }

    private func drop(_ block: UInt32, generation: Int64, where isMeant: (BlockMap) -> Bool) {
        writing.withLock { writing in
            let isDropped = state.withLock { state in
                guard state.generation == generation, isMeant(state.map) else { return false }
                state.map.drop(block)
                state.droppedBlocks += 1
                return true
            }
            if isDropped { forgetHash() }
            guard isDropped, writing.lock != nil else { return }
            writing.hasCompleteMark = false
            // If this write fails, the next opening finds the wrong block again.
            try? writing.append([.dropped(block)], generation: generation)
        }
    }
}

extension StoredBlock {
    /// Computes the checksum of a block's current bytes.
    ///
    /// - Returns: nil if some bytes are missing.
    init?(_ data: StoredFile, at start: Int64, byteCount: UInt32) throws(FetchError) {
        guard let bytes = try data.whole(start..<(start + Int64(byteCount))) else { return nil }
        self.init(bytes)
    }
}

extension StoredFile {
    /// - Returns: nil if some bytes are missing.
    func whole(_ range: Range<Int64>) throws(FetchError) -> [UInt8]? {
        do throws(FetchError) {
            let bytes = try read(range.count, at: range.lowerBound)
            return bytes.count == range.count ? bytes : nil
        } catch .storage(_, EIO) {
            // If the disk cannot read the bytes, they are lost.
            return nil
        }
    }
}
