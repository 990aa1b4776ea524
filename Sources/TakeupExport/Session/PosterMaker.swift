internal import Foundation
internal import TakeupFFmpeg
internal import TakeupFiles
internal import TakeupLanes
internal import TakeupOutput
internal import TakeupTimeline

/// Makes a still picture from a frame about a tenth into a video: upright, with square pixels, in
/// standard dynamic range.
struct PosterMaker {
    let video: OpenFile
    let format: PosterFormat
    let cancellation: Cancellation

    /// Fills a file that is not published yet.
    func write(to poster: OpenFile, duration: MediaTime) throws(ExportError) {
        var bytes: [UInt8] = []
        do throws(FFmpegError) {
            bytes = try picture(duration)
        } catch {
            throw ExportError(error, .encode)
        }
        try ExportError.files { () throws(FileError) in
            try poster.write(bytes)
            try poster.synchronize()
        }
    }

    private func picture(_ duration: MediaTime) throws(FFmpegError) -> [UInt8] {
        let source = try FileSource(descriptor: video.descriptor, name: video.name)
        let opened = OpenedSource(source: source, name: video.name, limits: .standard)
        let demuxer = try opened.demuxer(cancellation)
        guard
            let stream = demuxer.streams.first(where: { $0.kind == .video && !$0.isAttachedPicture }
            )
        else {
            throw FFmpegError(.findStreams, status: .invalidData, subject: video.name)
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
            if try decoder.receive(into: frame) {
                return try encode(frame, stream, demuxer)
            }
        }
        try decoder.finish()
        guard try decoder.receive(into: frame) else {
            throw FFmpegError(.decode, status: .endOfFile, subject: video.name)
        }
        return try encode(frame, stream, demuxer)
    }

    private func encode(
        _ frame: borrowing Frame, _ stream: StreamDescription, _ demuxer: Demuxer
    ) throws(FFmpegError) -> [UInt8] {
        let base = TimeBase(1, 25)
        let chain = chain(frame, stream, demuxer)
        frame.removeSideData()
        frame.ptsTicks = 0
        let graph = try FilterGraph(
            video: frame.videoFormat, timeBase: base, frameRate: nil, chain: chain)
        try graph.send(frame)
        try graph.finish()
        let picture = try Frame()
        guard try graph.receive(into: picture), let pixels = PixelFormat(named: format.pixelFormat)
        else {
            throw FFmpegError(.filter, status: .invalidData, subject: "the poster")
        }
        picture.ptsTicks = 0
        var settings = EncoderSettings(encoder: format.encoder, timeBase: base)
        settings.picture = EncoderSettings.Picture(
            width: picture.videoFormat.width, height: picture.videoFormat.height,
            pixelFormat: pixels, frameRate: nil, color: ColorDescription(range: "pc"))
        settings.options = format.options
        let encoder = try Encoder(settings)
        _ = try encoder.send(picture)
        try encoder.finish()
        let packet = try Packet()
        guard try encoder.receive(into: packet) else {
            throw FFmpegError(.encode, status: .invalidData, subject: "the poster")
        }
        return packet.bytes
    }

    /// Returns the filters that make the picture look as in a player, then convert it to the
    /// format's colours.
    private func chain(
        _ frame: borrowing Frame, _ stream: StreamDescription, _ demuxer: Demuxer
    ) -> String {
        var first = FirstFrame()
        first.video = frame.videoFormat
        first.isInterlaced = frame.isInterlaced
        first.isTopFieldFirst = frame.isTopFieldFirst
        first.displayMatrix = frame.displayMatrix
        first.masteringDisplay = frame.masteringDisplay
        first.contentLight = frame.contentLight
        let facts = InspectionFacts(
            name: video.name, demuxer: demuxer, byteCount: nil, declaredEnd: nil, fault: nil)
        let traits = VideoTraits(stream, first, facts)
        let shown = FrameSize(width: traits.displaySize.width, height: traits.displaySize.height)
            .fitted(maxWidth: nil, maxHeight: nil, turns: false)
        let encoding = VideoEncoding(
            encoder: format.encoder, width: shown.width, height: shown.height, fit: .fit,
            pixelFormat: "yuv420p",
            color: ColorPlan.output(ColorTags(matrix: "gbr"), toneMapped: traits.color.isHDR),
            hdr: nil, isToneMapped: traits.color.isHDR,
            timing: FrameTimingPlan(timescale: 25), frameRate: nil, keyFrameInterval: 1, threads: 1)
        let picture = PictureChain(
            format: frame.videoFormat, traits: traits, encoding: encoding,
            deinterlaces: traits.scan == .topFieldFirst || traits.scan == .bottomFieldFirst)
        return "\(picture.text),\(format.filters)"
    }
}
