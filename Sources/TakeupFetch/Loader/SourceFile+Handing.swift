internal import Foundation
internal import TakeupLanes

extension SourceFile {
    /// Returns how many bytes from an offset on are present and checked, without copying them.
    ///
    /// - Returns: At most `count`; 0 if the first byte is missing.
    /// - Throws: `FetchError.changed`; `.storage`.
    func available(
        at offset: Int64, most count: Int, generation: Int64
    ) throws(FetchError) -> Int {
        var done = 0
        while done < count {
            let place = offset + Int64(done)
            let next = try state.withLock { (state) throws(FetchError) in
                guard state.generation == generation else { throw .changed(address: address) }
                // Bytes that are only in memory are a hole in the file.
                if let cause = state.passing?.cause { throw cause }
                return state.map.next(at: place, most: count - done)
            }
            switch next {
            case .absent: return done
            case .check(let block, _):
                guard try check(block, generation: generation) else { return done }
            case .bytes(let more): done += more
            }
        }
        return done
    }

    /// Duplicates the descriptor of a version's data file.
    ///
    /// - Throws: `FetchError.changed`; `.storage`.
    func duplicate(generation: Int64?) throws(FetchError) -> Int32 {
        let data = try state.withLock { (state) throws(FetchError) in
            guard state.generation == generation ?? state.generation else {
                throw .changed(address: address)
            }
            if let cause = state.passing?.cause { throw cause }
            return state.data
        }
        let copy = fcntl(data.descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .storage(path: data.path, errno: errno) }
        return copy
    }
}
