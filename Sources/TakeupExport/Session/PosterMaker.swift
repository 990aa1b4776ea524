internal import Foundation
internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Writes a JPEG of a frame about a tenth into a video.
struct PosterMaker {
    /// JPEG's quantiser scale: 2 is best, 31 worst.
    private static let quality = "3"

    let source: String
    let cancellation: Cancellation

    /// - Returns: The picture's path.
    func write(
        to path: String, overwrite: ExportSettings.Overwrite, duration: MediaTime
    ) throws(ExportError) -> String {
        var bytes: [UInt8] = []
        do throws(FFmpegError) {
            bytes = try jpeg(duration)
        } catch {
            throw ExportError(error, .encode)
        }
        let partial = try PartialFile(for: path)
        try partial.write(bytes)
        try partial.synchronize()
        return try partial.publish(overwrite)
    }

    private func jpeg(_ duration: MediaTime) throws(FFmpegError) -> [UInt8] {
        let opened = OpenedSource(
            source: try FileSource(path: source), name: source, limits: .standard)
        let demuxer = try opened.demuxer(cancellation)
        guard
            let stream = demuxer.streams.first(where: { $0.kind == .video && !$0.isAttachedPicture }
            )
        else {
            throw FFmpegError(.findStreams, status: .invalidData, subject: source)
        }
        demuxer.select([stream.index])
        let tenth = MediaTime(seconds: duration.seconds / 10)
        try? demuxer.seek(stream: stream.index, toTicks: stream.timeBase.ticks(tenth))
        let decoder = try Decoder(
            demuxer.parameters(of: stream.index), timeBase: stream.timeBase)
        let packet = try Packet()
        let frame = try Frame()
        while try demuxer.read(into: packet) {
            guard try decoder.send(packet) else { continue }
            if try decoder.receive(into: frame) { return try encode(frame) }
        }
        try decoder.finish()
        guard try decoder.receive(into: frame) else {
            throw FFmpegError(.decode, status: .endOfFile, subject: source)
        }
        return try encode(frame)
    }

    private func encode(_ frame: borrowing Frame) throws(FFmpegError) -> [UInt8] {
        let base = TimeBase(1, 25)
        let graph = try FilterGraph(
            video: frame.videoFormat, timeBase: base, frameRate: nil,
            chain: "scale=out_range=full,format=yuvj420p")
        try graph.send(frame)
        try graph.finish()
        let picture = try Frame()
        guard try graph.receive(into: picture), let format = PixelFormat(named: "yuvj420p") else {
            throw FFmpegError(.filter, status: .invalidData, subject: "the poster")
        }
        picture.ptsTicks = 0
        var settings = EncoderSettings(encoder: "mjpeg", timeBase: base)
        settings.picture = EncoderSettings.Picture(
            width: picture.videoFormat.width, height: picture.videoFormat.height,
            pixelFormat: format, frameRate: nil, color: ColorDescription(range: "pc"))
        settings.options = ["qmin": Self.quality, "qmax": Self.quality]
        let encoder = try Encoder(settings)
        _ = try encoder.send(picture)
        try encoder.finish()
        let packet = try Packet()
        guard try encoder.receive(into: packet) else {
            throw FFmpegError(.encode, status: .invalidData, subject: "the poster")
        }
        return packet.bytes
    }
}
