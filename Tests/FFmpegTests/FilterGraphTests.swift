import TakeupFFmpeg
import TakeupTimeline
import TestSupport
import Testing

@Suite("FilterGraph")
struct FilterGraphTests {
    @Test("changes every picture as its chain says")
    func pictures() throws {
        var graph: FilterGraph?
        var sizes: [String: Int] = [:]
        let out = try Frame()
        try Coding.eachFrame(of: Clip.base(), stream: 0) { frame, base in
            if graph == nil {
                graph = try FilterGraph(
                    video: frame.videoFormat, timeBase: base, frameRate: Ratio(30, 1),
                    chain: "transpose=clock,scale=90:160,format=yuv444p")
            }
            try graph?.send(frame)
            while try graph?.receive(into: out) == true {
                let format = out.videoFormat
                sizes["\(format.width)x\(format.height) \(format.pixelFormat.name)", default: 0] +=
                    1
            }
        }
        try graph?.finish()
        while try graph?.receive(into: out) == true { Issue.record("a frame was held back") }
        #expect(sizes == ["90x160 yuv444p": 60])
    }

    @Test("cuts sound into blocks of the size that was asked for, the last one shorter")
    func sound() throws {
        let format = AudioFormat(
            sampleRate: 48_000, sampleFormat: .floatPlanar, layout: .standard(2))
        let graph = try FilterGraph(
            audio: format, timeBase: TimeBase(1, 48_000),
            chain: "aformat=sample_rates=48000:channel_layouts=stereo")
        graph.setOutputSamples(1024)
        let out = try Frame()
        var blocks: [Int] = []
        for place in 0..<5 {
            let frame = try Frame.silence(format, samples: 700)
            frame.ptsTicks = Int64(place) * 700
            try graph.send(frame)
            while try graph.receive(into: out) { blocks.append(out.sampleCount) }
        }
        try graph.finish()
        while try graph.receive(into: out) { blocks.append(out.sampleCount) }
        #expect(blocks == [1024, 1024, 1024, 428])
        #expect(graph.timeBase == TimeBase(1, 48_000))
    }

    @Test(
        "a chain that cannot be built is named",
        arguments: ["nonsense", "aresample=nothing=1", "volume=1[unused"])
    func broken(chain: String) throws {
        let format = AudioFormat(
            sampleRate: 48_000, sampleFormat: .floatPlanar, layout: .standard(1))
        let error = #expect(throws: FFmpegError.self) {
            _ = try FilterGraph(audio: format, timeBase: TimeBase(1, 48_000), chain: chain)
        }
        #expect(error?.operation == .buildFilter && error?.subject == chain)
    }
}
