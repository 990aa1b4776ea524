import Foundation
import TakeupFFmpeg
import TakeupLanes
import TakeupTimeline
import TestSupport
import Testing

@Suite("Demuxer")
struct DemuxerTests {
    private func open(_ bytes: some Sequence<UInt8>) throws(FFmpegError) -> Demuxer {
        let demuxer = try Demuxer(MemorySource(Array(bytes)), name: "clip.mp4")
        try demuxer.findStreams()
        return demuxer
    }

    @Test("tells the streams, the duration and the packets as ffprobe does")
    func reads() throws {
        let clip = try Clip.base()
        let demuxer = try Demuxer(FileSource(path: clip.path), name: clip.path)
        try demuxer.findStreams()
        #expect(demuxer.container.contains("mp4"))
        #expect(demuxer.streams.map(\.codec) == ["h264", "aac"])
        #expect(demuxer.streams[0].width == 640 && demuxer.streams[0].height == 360)
        let duration = try #require(demuxer.duration)
        #expect(abs(duration.seconds - 2) < 0.1)
        var counts = [0, 0]
        var last: [Int64] = [.min, .min]
        let packet = try Packet()
        while try demuxer.read(into: packet) {
            counts[packet.streamIndex] += 1
            let ticks = packet.dtsTicks
            let dts = try #require(ticks)
            #expect(dts > last[packet.streamIndex])
            last[packet.streamIndex] = dts
        }
        let expected = try MediaTools.packets(clip.path)
        #expect(counts.reduce(0, +) == expected.count)
        #expect(counts[0] == 60)
        #expect(demuxer.indexCount(of: 0) == 60)
        let isAtEnd = try demuxer.read(into: packet)
        #expect(!isAtEnd && packet.byteCount == 0)
    }

    @Test("reads only the streams that were selected, and moves to keyframes")
    func selectAndSeek() throws {
        let demuxer = try open(Clip.base().bytes())
        demuxer.select([1])
        let packet = try Packet()
        while try demuxer.read(into: packet) { #expect(packet.streamIndex == 1) }
        demuxer.select([0])
        let base = demuxer.streams[0].timeBase
        try demuxer.seek(stream: 0, toTicks: base.ticks(1.5))
        let isRead = try demuxer.read(into: packet)
        #expect(isRead && packet.isKey && packet.streamIndex == 0)
        let ticks = packet.ptsTicks
        let pts = try #require(ticks)
        #expect(base.time(pts) <= 1.5)
    }

    @Test(
        "refuses whatever names other files or hosts, under any name",
        arguments: [
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
            "ffconcat version 1.0\nfile 'base.mp4'\n",
            "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nm=video 5000 RTP/AVP 96\n",
            "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"></MPD>",
            "[Script Info]\n", "not media at all", "\u{0}\u{0}\u{0}",
        ])
    func isSealed(text: String) {
        let error = #expect(throws: FFmpegError.self) {
            _ = try Demuxer(MemorySource(Array(text.utf8)), name: "clip.mp4")
        }
        #expect(error?.operation == .open)
    }

    @Test("the whitelist names only demuxers that open nothing else")
    func whitelist() {
        let names = ContainerWhitelist.names
        #expect(Set(names).count == names.count)
        let openers = [
            "hls", "dash", "concat", "image2", "sdp", "rtsp", "rtp", "lavfi", "imf", "tty",
            "webm_dash_manifest", "applehttp",
        ]
        #expect(openers.filter(names.contains) == [])
    }

    @Test("a source that fails ends with its own error, not with a short file")
    func failingSource() throws {
        let bytes = Array(try Clip.base().bytes())
        let half = Int64(bytes.count / 2)
        let error = #expect(throws: FFmpegError.self) {
            let demuxer = try Demuxer(MemorySource(bytes, failsFrom: half), name: "clip.mp4")
            try demuxer.findStreams()
            let packet = try Packet()
            while try demuxer.read(into: packet) {}
        }
        #expect(error?.status == .inputOutput)
    }

    @Test("a cancelled one stops reading")
    func cancelled() throws {
        let cancellation = Cancellation()
        let demuxer = try Demuxer(
            MemorySource(Array(Clip.base().bytes())), name: "clip.mp4", cancellation: cancellation)
        cancellation.cancel()
        let packet = try Packet()
        let error = #expect(throws: FFmpegError.self) {
            while try demuxer.read(into: packet) {}
        }
        #expect(error?.status == .interrupted)
    }

    @Test("keeps its limits of streams and of pixels")
    func limits() throws {
        let bytes = Array(try Clip.base().bytes())
        var limits = InputLimits()
        limits.streams = 1
        #expect(throws: FFmpegError.self) {
            _ = try Demuxer(MemorySource(bytes), name: "clip.mp4", limits: limits)
        }
        let decoder = Decoder.Settings(pixelLimit: 100)
        let demuxer = try open(bytes)
        let packet = try Packet()
        demuxer.select([0])
        _ = try demuxer.read(into: packet)
        #expect(throws: FFmpegError.self) {
            let small = try Decoder(
                demuxer.parameters(of: 0), timeBase: demuxer.streams[0].timeBase, settings: decoder)
            _ = try small.send(packet)
            _ = try small.receive(into: try Frame())
        }
    }

    @Test("a file that is none is refused without waiting")
    func noFile() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path
        let statuses = [path, "/dev/null", folder.file("missing")].map { path in
            do throws(FFmpegError) {
                _ = try FileSource(path: path)
                return FFmpegStatus?.none
            } catch {
                return error.status
            }
        }
        let expected = [-EISDIR, nil, -ENOENT].map { code in
            code.map { FFmpegStatus(rawValue: $0) } ?? .invalidArgument
        }
        #expect(statuses == expected)
    }
}
