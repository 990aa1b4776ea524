internal import TakeupFFmpeg
internal import TakeupLanes

/// Opens demuxers on one source, each with a position of its own.
struct OpenedSource: Sendable {
    let source: any ByteSource
    let name: String
    let limits: InputLimits

    /// Opens the container and finds its streams.
    func demuxer(_ cancellation: Cancellation) throws(FFmpegError) -> Demuxer {
        let demuxer = try Demuxer(source, name: name, limits: limits, cancellation: cancellation)
        try demuxer.findStreams(limits: limits)
        return demuxer
    }

    /// Opens the container to read one stream of it, whatever else it holds.
    ///
    /// A source whose clock jumps is read whole, so that packets count as they did in its scan.
    func demuxer(
        forStream index: Int, keepingOthers: Bool, _ cancellation: Cancellation
    ) throws(FFmpegError) -> Demuxer {
        let demuxer = try Demuxer(source, name: name, limits: limits, cancellation: cancellation)
        // A movie's header says all that a decoder needs, except MPEG-4's size and VP9's pixel format, which a copy
        // needs; other containers say it in packets.
        let isTold = demuxer.streams.allSatisfy {
            $0.kind != .video || ($0.width > 0 && ($0.codec != "vp9" || $0.pixelFormat != nil))
        }
        if !demuxer.container.contains("mp4") || !isTold {
            try demuxer.findStreams(limits: limits)
        }
        if !keepingOthers { demuxer.select([index]) }
        return demuxer
    }
}
