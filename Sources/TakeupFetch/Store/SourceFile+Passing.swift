internal import TakeupFiles
internal import TakeupLanes

/// Passes bytes through memory to the readers if the disk does not take them.
extension SourceFile {
    /// Most bytes held in memory for readers; those furthest from all readers are dropped first.
    static let mostPassingBytes: Int64 = 32 << 20
    /// How many bytes a download may be ahead of its readers.
    static let passingAheadBytes: Int64 = 8 << 20

    /// The bytes in memory, by block.
    struct Passing {
        let cause: FetchError
        var blocks: [UInt32: [UInt8]] = [:]
        /// Number of bytes that were present but were dropped.
        var droppedBytes: Int64

        mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
            forEachPart(of: bytes.count, at: offset) { block, inner, outer in
                var held = blocks.removeValue(forKey: block)
                if held == nil { held = [UInt8](repeating: 0, count: Int(BlockMap.blockBytes)) }
                held?.withUnsafeMutableBytes { room in
                    let part = UnsafeMutableRawBufferPointer(rebasing: room[inner])
                    part.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[outer]))
                }
                blocks[block] = held
            }
        }

        /// - Returns: Whether all bytes are in memory.
        func read(into target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Bool {
            var isWhole = true
            forEachPart(of: target.count, at: offset) { block, inner, outer in
                guard let held = blocks[block] else { return isWhole = false }
                UnsafeMutableRawBufferPointer(rebasing: target[outer]).copyBytes(from: held[inner])
            }
            return isWhole
        }

        private func forEachPart(
            of count: Int, at offset: Int64, _ body: (UInt32, Range<Int>, Range<Int>) -> Void
        ) {
            var done = 0
            while done < count {
                let inner = Int((offset + Int64(done)) % BlockMap.blockBytes)
                let part = min(count - done, Int(BlockMap.blockBytes) - inner)
                body(
                    BlockMap.block(at: offset + Int64(done)), inner..<(inner + part),
                    done..<(done + part))
                done += part
            }
        }
    }

    /// The reason why bytes are not stored; nil while they are.
    var passingCause: FetchError? { state.withLock { $0.passing?.cause } }

    /// Stops storing: removes the bytes on disk and lets another process become the writer.
    ///
    /// Readers keep their version. No commit may be running on the commit lane.
    ///
    /// - Parameters:
    ///   - cause: Why nothing is stored any more.
    ///   - places: From where on readers need bytes that cannot be requested again: they stay, in memory.
    func pass(after cause: FetchError, keeping places: [Int64] = []) {
        let kept = tails(from: places)
        writing.withLock { writing in
            guard state.withLock({ $0.passing == nil }) else { return }
            let generation = state.withLock { $0.generation }
            if writing.lock != nil { try? folder?.unlink(SourceLayout.data(generation)) }
            state.withLock { state in
                state.passing = Passing(cause: cause, droppedBytes: state.map.present.byteCount)
                state.map = BlockMap(length: state.map.length)
                for (place, bytes) in kept {
                    bytes.withUnsafeBytes { state.passing?.write($0, at: place) }
                    state.map.insert(place..<place + Int64(bytes.count))
                }
                state.passing?.droppedBytes -= state.map.present.byteCount
                // The disk space is free once the current readers have closed the file.
                state.data = .none(path: state.data.path)
                state.isWriter = true
            }
            writing.journal = .none(path: writing.journal.path)
            if writing.lock != nil, let folder {
                let now = clock()
                let fresh = Self.fresh(after: generation, now)
                // If this fails too, the next opening finds a journal without data and starts
                // again.
                _ = try? SourceFiles.begin(
                    folder, JournalHeader(generation: fresh, createdAt: now))
            }
            writing.lock = nil
        }
        forgetHash()
    }

    /// Reads what follows some places, as far as it is present and has room in memory.
    private func tails(from places: [Int64]) -> [(place: Int64, bytes: [UInt8])] {
        let status = status
        let most = Self.mostPassingBytes / 2 / Int64(max(1, places.count))
        return places.compactMap { place in
            let end = min(status.present.prefixEnd(from: place), place + most)
            guard end > place else { return nil }
            var bytes = [UInt8](repeating: 0, count: Int(end - place))
            let count = bytes.withUnsafeMutableBytes { room in
                (try? read(into: room, at: place, generation: status.generation)) ?? 0
            }
            return (place, Array(bytes.prefix(count)))
        }
    }

    /// Frees memory.
    ///
    /// - Parameter places: Offsets at which somebody reads or waits.
    func makeRoom(near places: [Int64]) {
        state.withLock { state in
            guard let held = state.passing?.blocks.keys,
                Int64(held.count) * BlockMap.blockBytes > Self.mostPassingBytes
            else { return }
            let byDistance = held.map { (Self.distance(of: $0, to: places), $0) }
                .sorted { $0.0 > $1.0 }
            // Drop a quarter of the blocks together, so that this does not happen for each chunk.
            for (_, block) in byDistance.prefix(held.count / 4) {
                let before = state.map.present.byteCount
                state.map.drop(block)
                state.passing?.blocks[block] = nil
                state.passing?.droppedBytes += before - state.map.present.byteCount
            }
        }
    }

    /// Returns how far a block is from all readers; bytes behind a reader are rarely wanted again.
    private static func distance(of block: UInt32, to places: [Int64]) -> Int64 {
        let start = Int64(block) * BlockMap.blockBytes
        let end = start + BlockMap.blockBytes
        return places.map {
            $0 >= end ? ($0 - end + 1).multipliedOrMost(by: 4) : max(0, start - $0)
        }
        .min() ?? start
    }

    /// - Returns: `false` if the bytes are stored on the disk instead.
    func passOn(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64, _ gaps: [Range<Int64>]
    ) -> Bool {
        state.withLock { state in
            guard state.passing != nil else { return false }
            for gap in gaps {
                let part = Int(gap.lowerBound - offset)..<Int(gap.upperBound - offset)
                state.passing?.write(
                    UnsafeRawBufferPointer(rebasing: bytes[part]), at: gap.lowerBound)
                state.map.insert(gap)
            }
            return true
        }
    }

    /// Binds or discards like `bind` and `discard`, for bytes in memory.
    ///
    /// - Returns: nil if the bytes are stored on the disk instead.
    func bindPassing(_ version: SourceVersion?) -> Binding? {
        let now = clock()
        return state.withLock { state in
            guard let passing = state.passing else { return nil }
            if let version, state.version?.validator == version.validator,
                version.length == nil || state.map.learn(version.length ?? 0)
            {
                return .kept
            }
            state.generation = Self.fresh(after: state.generation, now)
            (state.version, state.map) = (version, BlockMap(length: version?.length))
            state.passing = Passing(cause: passing.cause, droppedBytes: 0)
            return .startedOver
        }
    }
}

extension Int64 {
    fileprivate func multipliedOrMost(by factor: Int64) -> Int64 {
        let (product, overflows) = multipliedReportingOverflow(by: factor)
        return overflows ? .max : product
    }
}
