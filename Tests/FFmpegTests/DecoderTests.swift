import TakeupFFmpeg
import TestSupport
import Testing

@Suite("Decoder")
struct DecoderTests {
    @Test("gives every picture once, in order of presentation")
    func pictures() throws {
        var times: [Int64] = []
        var damaged = 0
        try Coding.eachFrame(of: Clip.base(), stream: 0) { frame, _ in
            times.append(frame.bestEffortTicks ?? -1)
            #expect(frame.videoFormat.pixelFormat.name == "yuv420p")
            if frame.isDamaged { damaged += 1 }
        }
        #expect(times.count == 60 && damaged == 0)
        #expect(times == times.sorted() && Set(times).count == 60)
    }

    @Test("gives sound in the layout and rate of its track")
    func sound() throws {
        var samples = 0
        try Coding.eachFrame(of: Clip.base(), stream: 1) { frame, _ in
            samples += frame.sampleCount
            #expect(frame.audioFormat.sampleRate == 48_000)
            #expect(frame.audioFormat.layout.channelNames == ["FC"])
        }
        #expect(abs(samples - 96_000) <= 2 * 1024)
    }

    @Test("refuses rubbish and goes on with what is sound")
    func rubbish() throws {
        let demuxer = try Coding.open(Clip.base().path)
        demuxer.select([0])
        let decoder = try Decoder(
            demuxer.parameters(of: 0), timeBase: demuxer.streams[0].timeBase)
        let packet = try Packet()
        let frame = try Frame()
        let junk = try Packet()
        try junk.setBytes(Array(repeating: 0xFF, count: 100))
        #expect(throws: FFmpegError.self) { _ = try decoder.send(junk) }
        var shown = 0
        while try demuxer.read(into: packet) {
            _ = try decoder.send(packet)
            while try decoder.receive(into: frame) { shown += 1 }
        }
        try decoder.finish()
        while try decoder.receive(into: frame) { shown += 1 }
        #expect(shown == 60)
    }

    @Test("gives nothing after its last frame")
    func afterTheEnd() throws {
        let demuxer = try Coding.open(Clip.base().path)
        let decoder = try Decoder(
            demuxer.parameters(of: 0), timeBase: demuxer.streams[0].timeBase)
        try decoder.finish()
        let frame = try Frame()
        let isGiven = try decoder.receive(into: frame)
        #expect(!isGiven)
    }
}
