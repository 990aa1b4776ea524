internal import TakeupFFmpeg

extension Packet {
    /// Ensures that decoding times increase, even after rounding to another time base.
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
