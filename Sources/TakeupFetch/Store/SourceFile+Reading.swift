internal import Foundation
internal import TakeupLanes

extension SourceFile {
    /// Copies bytes that are here, from `offset` on; each block is compared with its checksum the first time.
    ///
    /// - Parameters:
    ///   - target: Where they go; its size is the most that is read.
    ///   - offset: The place of the first one.
    ///   - generation: The one that the reader has begun with (`status`).
    /// - Returns: How many; 0 when the first one is not here, or turned out to be wrong and is not here any more.
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
                // What is in memory goes any time, so that it is copied under the lock.
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

    /// - Returns: `false` when the disk has lost some of them.
    private func readWhole(
        _ data: StoredFile, _ target: UnsafeMutableRawBufferPointer, _ offset: Int64
    ) throws(FetchError) -> Bool {
        do throws(FetchError) {
            return try data.read(into: target, at: offset) == target.count
        } catch .storage(_, EIO) {
            return false
        }
    }

    /// Compares a block with its checksum; one that is wrong is dropped and counts as absent.
    ///
    /// - Returns: Whether it is good.
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
            // Where this cannot be written, the next opening finds the block to be wrong again.
            try? writing.append([.dropped(block)], generation: generation)
        }
    }
}

extension StoredBlock {
    /// What a block's bytes are now.
    ///
    /// - Returns: nil when not all of them are there.
    init?(_ data: StoredFile, at start: Int64, byteCount: UInt32) throws(FetchError) {
        guard let bytes = try data.whole(start..<(start + Int64(byteCount))) else { return nil }
        self.init(bytes)
    }
}

extension StoredFile {
    /// - Returns: nil when not all of them are there.
    func whole(_ range: Range<Int64>) throws(FetchError) -> [UInt8]? {
        do throws(FetchError) {
            let bytes = try read(range.count, at: range.lowerBound)
            return bytes.count == range.count ? bytes : nil
        } catch .storage(_, EIO) {
            // A disk that cannot give the bytes back has lost them.
            return nil
        }
    }
}
