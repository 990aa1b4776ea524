internal import CTakeupFFmpeg
internal import TakeupTimeline

/// One compressed access unit, freed when the value goes out of scope.
public struct Packet: ~Copyable {
    let raw: UnsafeMutablePointer<AVPacket>

    public init() throws(FFmpegError) {
        raw = try allocated(av_packet_alloc(), "a packet")
    }

    deinit {
        var raw: UnsafeMutablePointer<AVPacket>? = raw
        av_packet_free(&raw)
    }

    /// Index of the packet's stream in the container.
    public var streamIndex: Int {
        get { Int(raw.pointee.stream_index) }
        nonmutating set { raw.pointee.stream_index = Int32(newValue) }
    }

    /// Presentation time, in ticks of its stream; nil if the container gives none.
    public var ptsTicks: Int64? {
        get { timestamp(raw.pointee.pts) }
        nonmutating set { raw.pointee.pts = newValue ?? takeup_no_timestamp }
    }

    /// Decoding time, in ticks of its stream; nil if the container gives none.
    public var dtsTicks: Int64? {
        get { timestamp(raw.pointee.dts) }
        nonmutating set { raw.pointee.dts = newValue ?? takeup_no_timestamp }
    }

    /// Duration, in ticks of its stream; 0 if unknown.
    public var durationTicks: Int64 {
        get { raw.pointee.duration }
        nonmutating set { raw.pointee.duration = newValue }
    }

    public var byteCount: Int { Int(raw.pointee.size) }
    /// Byte position of the packet in the source; nil if unknown.
    public var position: Int64? { raw.pointee.pos < 0 ? nil : raw.pointee.pos }
    public var isKey: Bool { raw.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    /// Clears the keyframe flag, so that decoding does not begin with this packet.
    public func unmarkKey() {
        raw.pointee.flags &= ~AV_PKT_FLAG_KEY
    }

    public var isCorrupt: Bool { raw.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
    /// Whether an edit list hides the packet: decode it for later packets, but do not show it.
    public var isDiscarded: Bool { raw.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }

    /// Whether the container marks the packet's bytes as encrypted.
    public var isEncrypted: Bool {
        var size = 0
        return av_packet_get_side_data(raw, AV_PKT_DATA_ENCRYPTION_INFO, &size) != nil
    }

    /// A new codec configuration attached to the packet; nil for most packets.
    public var newExtradata: [UInt8]? {
        var size = 0
        guard let bytes = av_packet_get_side_data(raw, AV_PKT_DATA_NEW_EXTRADATA, &size), size > 0
        else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: size))
    }

    /// Reads the payload in place, without a copy.
    public func withBytes<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        body(
            UnsafeBufferPointer(
                start: raw.pointee.data, count: raw.pointee.data == nil ? 0 : byteCount))
    }

    /// Sets the payload's bytes.
    public func setBytes(_ bytes: [UInt8]) throws(FFmpegError) {
        av_packet_unref(raw)
        try check(
            av_new_packet(raw, Int32(bytes.count)), .allocate, "a packet of \(bytes.count) bytes")
        bytes.withUnsafeBufferPointer { source in
            guard let base = source.baseAddress else { return }
            raw.pointee.data.update(from: base, count: bytes.count)
        }
    }

    /// Replaces the payload, and keeps times, duration and flags.
    public func replaceBytes(_ bytes: [UInt8]) throws(FFmpegError) {
        let (pts, dts, duration) = (ptsTicks, dtsTicks, durationTicks)
        let (flags, stream) = (raw.pointee.flags, raw.pointee.stream_index)
        try setBytes(bytes)
        (ptsTicks, dtsTicks, durationTicks) = (pts, dts, duration)
        (raw.pointee.flags, raw.pointee.stream_index) = (flags, stream)
    }

    /// Truncates the payload to its first bytes.
    public func keepFirst(bytes: Int) {
        precondition(bytes >= 0, "a packet has no fewer than 0 bytes")
        av_shrink_packet(raw, Int32(clamping: bytes))
    }

    /// A copy of the payload.
    public var bytes: [UInt8] {
        guard let data = raw.pointee.data else { return [] }
        return Array(UnsafeBufferPointer(start: data, count: byteCount))
    }

    /// Converts the timestamps from one time base to another, rounding to the nearest tick.
    public func rescale(from: TimeBase, to: TimeBase) {
        av_packet_rescale_ts(raw, from.rational, to.rational)
    }

    /// Shifts the existing timestamps.
    public func shift(byTicks ticks: Int64) {
        ptsTicks = ptsTicks.map { $0.addingClamped(ticks) }
        dtsTicks = dtsTicks.map { $0.addingClamped(ticks) }
    }

    /// Removes timestamps that no real clock reaches, so that sums of a few timestamps cannot
    /// overflow.
    func dropAbsurdTimes() {
        let sane = -Self.latest...Self.latest
        if let ticks = ptsTicks, !sane.contains(ticks) { ptsTicks = nil }
        if let ticks = dtsTicks, !sane.contains(ticks) { dtsTicks = nil }
        if !(0...Self.latest).contains(durationTicks) { durationTicks = 0 }
    }

    private static let latest: Int64 = 1 << 60

    /// Frees the payload and resets every field.
    public func clear() {
        av_packet_unref(raw)
    }

    /// Moves everything out of another packet, which is empty afterwards.
    public func take(from other: borrowing Packet) {
        av_packet_unref(raw)
        av_packet_move_ref(raw, other.raw)
    }

    /// Creates a second packet that shares the payload.
    public func duplicate() throws(FFmpegError) -> Packet {
        let copy = try Packet()
        try check(av_packet_ref(copy.raw, raw), .allocate, "a packet")
        return copy
    }
}

// Safe: a noncopyable value has one owner, and `AVPacket` is tied to no thread.
extension Packet: @unchecked Sendable {}
