internal import TakeupFFmpeg

extension Packet {
    /// Makes sure that decoding times rise, which rounding to another base may have undone.
    ///
    /// - Returns: The packet's decoding time.
    func keepOrder(after last: Int64?) -> Int64? {
        if let last, let dts = dtsTicks, dts <= last {
            dtsTicks = last + 1
            if let pts = ptsTicks, pts < last + 1 { ptsTicks = last + 1 }
        }
        return dtsTicks
    }
}
