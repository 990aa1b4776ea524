internal import TakeupFFmpeg
internal import TakeupLanes

/// Reads a whole transport stream for places where its programme continues under other PIDs.
struct TransportSeams {
    /// Number of packets per read.
    private static let blockPackets = 4096
    private static let sync: UInt8 = 0x47

    let source: any ByteSource
    let cancellation: Cancellation

    /// - Throws: `FFmpegError` if the source cannot be read.
    func find() throws(FFmpegError) -> [SourceSeam] {
        guard let window = ByteWindow(source) else { return [] }
        guard let form = TransportPackets.form(window) else {
            if let failure = window.failure { throw failure }
            return []
        }
        let (length, lead) = (Int(form.length), Int(form.sync))
        var follower = ProgrammeFollower()
        var block = [UInt8](repeating: 0, count: length * Self.blockPackets)
        var place: Int64 = 0
        while follower.seams.count < SourceParts.most, !cancellation.isCancelled {
            let count = try source.bytes(at: place, into: &block)
            let used = block.withUnsafeBufferPointer { bytes in
                take(
                    UnsafeBufferPointer(rebasing: bytes.prefix(count)), at: place, length, lead,
                    &follower)
            }
            guard used > 0 else { break }
            place += Int64(used)
        }
        follower.finish()
        return follower.seams
    }

    /// Processes the packets of one block.
    ///
    /// - Returns: The number of processed bytes; 0 if no whole packet is left.
    private func take(
        _ bytes: UnsafeBufferPointer<UInt8>, at place: Int64, _ length: Int, _ lead: Int,
        _ follower: inout ProgrammeFollower
    ) -> Int {
        var next = 0
        while next + length <= bytes.count {
            guard bytes[next + lead] == Self.sync else {
                next += 1
                continue
            }
            let start = next + lead
            let packet = TransportPacket(
                UnsafeBufferPointer(rebasing: bytes[start..<start + TransportPacket.length]))
            follower.take(
                packet, UnsafeBufferPointer(rebasing: bytes[next..<next + length]),
                at: place + Int64(next))
            next += length
        }
        return next
    }
}
