internal import TakeupFFmpeg
internal import TakeupTimeline

/// Detects from the pictures whether they consist of two interlaced fields.
struct InterlaceProbe {
    /// Number of pictures to examine.
    private static let pictures = 40

    let demuxer: Demuxer
    let stream: StreamDescription

    init(_ demuxer: Demuxer, _ stream: StreamDescription) {
        self.demuxer = demuxer
        self.stream = stream
    }

    /// - Returns: `.unknown` if the pictures cannot be read or judged; a later reader of the
    ///   pictures reports the reason.
    /// - Throws: `FFmpegError` with `.interrupted` only.
    func run() throws(FFmpegError) -> ScanType {
        do throws(FFmpegError) {
            return try judge()
        } catch {
            if error.status == .interrupted { throw error }
            return .unknown
        }
    }

    private func judge() throws(FFmpegError) -> ScanType {
        let decoder = try Decoder(
            demuxer.parameters(of: stream.index), timeBase: stream.timeBase)
        let packet = try Packet()
        let frame = try Frame()
        var graph: FilterGraph?
        var format: VideoFormat?
        var votes: [String: Int] = [:]
        var seen = 0
        while seen < Self.pictures, try demuxer.read(into: packet) {
            guard packet.streamIndex == stream.index else { continue }
            guard (try? decoder.send(packet)) == true else { continue }
            while (try? decoder.receive(into: frame)) == true {
                if frame.videoFormat != format {
                    try finish(graph, &votes)
                    format = frame.videoFormat
                    graph = try makeDetector(frame)
                }
                guard let detector = graph else { break }
                seen += 1
                try detector.send(frame)
                try count(detector, &votes)
            }
        }
        try finish(graph, &votes)
        return verdict(votes)
    }

    /// Counts the votes on pictures that the detector still holds.
    private func finish(_ detector: FilterGraph?, _ votes: inout [String: Int]) throws(FFmpegError)
    {
        guard let detector else { return }
        try detector.finish()
        try count(detector, &votes)
    }

    private func count(_ detector: FilterGraph, _ votes: inout [String: Int]) throws(FFmpegError) {
        let judged = try Frame()
        while try detector.receive(into: judged) {
            let vote = judged.metadata("lavfi.idet.multiple.current_frame") ?? "undetermined"
            votes[vote, default: 0] += 1
        }
    }

    private func makeDetector(_ frame: borrowing Frame) throws(FFmpegError) -> FilterGraph {
        try FilterGraph(
            video: frame.videoFormat, timeBase: stream.timeBase, frameRate: nil, chain: "idet")
    }

    private func verdict(_ votes: [String: Int]) -> ScanType {
        let (top, bottom) = (votes["tff"] ?? 0, votes["bff"] ?? 0)
        let progressive = votes["progressive"] ?? 0
        guard top + bottom > 5, top + bottom > 2 * progressive else { return .progressive }
        return top >= bottom ? .topFieldFirst : .bottomFieldFirst
    }
}
