internal import TakeupFFmpeg
internal import TakeupLanes

/// Opens demuxers on one source, each with its own position.
struct OpenedSource: Sendable {
    let source: any ByteSource
    let name: String
    let limits: InputLimits

    /// The first bytes as a source of their own.
    func prefix(_ count: Int64) -> OpenedSource {
        OpenedSource(
            source: SourceSlice(source, from: SourceSeam(place: 0), to: count), name: name,
            limits: limits)
    }

    /// Opens the container and finds its streams.
    func demuxer(_ cancellation: Cancellation) throws(FFmpegError) -> Demuxer {
        let demuxer = try Demuxer(source, name: name, limits: limits, cancellation: cancellation)
        try demuxer.findStreams(limits: limits)
        return demuxer
    }

    /// Opens the container to read one of its streams.
    ///
    /// If the source's clock jumps, all streams are read, so that packets are counted as in the
    /// scan.
    func demuxer(
        forStream index: Int, keepingOthers: Bool, _ cancellation: Cancellation
    ) throws(FFmpegError) -> Demuxer {
        let demuxer = try Demuxer(source, name: name, limits: limits, cancellation: cancellation)
        // A movie's header contains all that a decoder needs, except MPEG-4's size and VP9's pixel
        // format, which a copy needs. Other containers store these facts in packets.
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
