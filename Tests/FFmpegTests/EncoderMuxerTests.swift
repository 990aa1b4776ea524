import Foundation
import TakeupFFmpeg
import TakeupLanes
import TakeupTimeline
import TestSupport
import Testing

@Suite("Encoder and Muxer")
struct EncoderMuxerTests {
    private static func settings(_ format: AudioFormat, rate: Int = 64_000) -> EncoderSettings {
        var settings = EncoderSettings(
            encoder: "aac", timeBase: TimeBase(1, Int32(format.sampleRate)))
        settings.audio = format
        settings.bitRate = rate
        return settings
    }

    private static let mono = AudioFormat(
        sampleRate: 48_000, sampleFormat: .floatPlanar, layout: .standard(1))

    private static func picture() throws -> EncoderSettings {
        let format = try #require(PixelFormat(named: "yuv420p"))
        var settings = EncoderSettings(encoder: "libx264", timeBase: TimeBase(1, 30_000))
        settings.picture = EncoderSettings.Picture(
            width: 640, height: 360, pixelFormat: format, frameRate: Ratio(30, 1),
            color: ColorDescription(matrix: "bt709", range: "tv"))
        settings.options = ["preset": "ultrafast", "crf": "30"]
        return settings
    }

    private static func av1() throws -> EncoderSettings {
        var settings = try picture()
        settings.encoder = "libsvtav1"
        settings.options = ["preset": "12"]
        return settings
    }

    /// Gives an encoder the 60 pictures of the base clip, and takes all its packets.
    private static func encodeBase(
        with encoder: Encoder, _ take: (borrowing Packet) throws -> Void
    ) throws {
        let packet = try Packet()
        func drain() throws {
            while try encoder.receive(into: packet) { try take(packet) }
        }
        var count: Int64 = 0
        try Coding.eachFrame(of: Clip.base(), stream: 0) { frame, _ in
            frame.prepareForEncoding()
            frame.ptsTicks = count * 1000
            count += 1
            while try !encoder.send(frame) { try drain() }
            try drain()
        }
        try encoder.finish()
        try drain()
    }

    /// SVT-AV1 2.3, which Debian 13 has, dies of it if nobody takes turns.
    @Test(
        "AV1 encoders of one process open and close side by side",
        .enabled(if: Encoder.exists("libsvtav1")))
    func sideBySide() throws {
        let settings = try Self.av1()
        let packets = Locked(0)
        let errors = Locked<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            do {
                for _ in 0..<2 {
                    try Self.encodeBase(with: Encoder(settings)) { _ in
                        packets.withLock { $0 += 1 }
                    }
                }
            } catch {
                errors.withLock { $0.append("\(error)") }
            }
        }
        #expect(errors.withLock { $0 } == [])
        #expect(packets.withLock { $0 } == 4 * 60)
    }

    /// SVT-AV1 1.4, which Debian 12 has, waits without end in both cases.
    @Test(
        "an encoder that got no picture ends and closes",
        .enabled(if: Encoder.exists("libsvtav1")))
    func noPicture() async {
        await #expect(processExitsWith: .exitCode(7)) {
            alarm(20)
            func open(andFinish isFinished: Bool) throws -> Bool {
                let encoder = try Encoder(EncoderMuxerTests.av1())
                if isFinished { try encoder.finish() }
                return try encoder.receive(into: Packet())
            }
            let packets = [try open(andFinish: false), try open(andFinish: true)]
            _exit(packets == [false, false] ? 7 : 8)
        }
    }

    /// Encodes the pictures of the base clip into an open file.
    private func write(
        to descriptor: Int32, _ goesOn: @escaping (Double) -> Bool = { _ in true }
    ) throws {
        let encoder = try Encoder(Self.picture())
        let muxer = try Muxer(format: "mp4", descriptor: descriptor, name: "out.mp4")
        var stream = OutputStream(timeBase: encoder.timeBase)
        stream.language = "deu"
        stream.title = "Bild"
        let index = try muxer.addStream(encoder.parameters(), stream)
        muxer.setMetadata(["title": "Ein Film"])
        try muxer.addChapter(start: 0, end: 1, title: "Anfang")
        try muxer.writeHeader(options: ["movflags": "+faststart"])
        let base = muxer.timeBase(of: index)
        try Self.encodeBase(with: encoder) { packet in
            packet.streamIndex = index
            packet.rescale(from: encoder.timeBase, to: base)
            try muxer.write(packet)
        }
        try muxer.finish(goesOn)
    }

    @Test("what is encoded and muxed is read back whole by others")
    func roundTrip() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("out.mp4")
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
        try write(to: descriptor)
        close(descriptor)
        let found = try MediaTools.probe(path)
        let stream = try #require(found.streams.first)
        #expect(stream.codec == "h264" && stream.width == 640 && stream.height == 360)
        #expect(stream.colorSpace == "bt709" && stream.colorRange == "tv")
        #expect(try MediaTools.frameCount(path) == 60)
        #expect(try MediaTools.decodeErrors(path) == [])
        let demuxer = try Coding.open(path)
        #expect(demuxer.metadata["title"] == "Ein Film")
        #expect(demuxer.streams[0].metadata["language"] == "deu")
        #expect(demuxer.chapters.map(\.title) == ["Anfang"])
        #expect(demuxer.chapters.map(\.end) == [1])
    }

    @Test("moving the media behind the index tells how far it is, and can be ended")
    func finishing() throws {
        let folder = try TemporaryDirectory()
        let descriptor = Foundation.open(folder.file("out.mp4"), O_RDWR | O_CREAT, 0o600)
        defer { close(descriptor) }
        let shares = Locked<[Double]>([])
        try write(to: descriptor) { share in
            shares.withLock { $0.append(share) }
            return true
        }
        let told = shares.withLock { $0 }
        #expect(told.max() == 1 && told.allSatisfy { (0...1).contains($0) })
        let error = #expect(throws: FFmpegError.self) { try write(to: descriptor) { _ in false } }
        #expect(error?.status == .interrupted)
    }

    @Test("an encoder that is not there, and an option that it does not know, are told apart")
    func refusals() {
        #expect(Encoder.exists("libx264") && !Encoder.exists("libnothing"))
        let missing = #expect(throws: FFmpegError.self) {
            _ = try Encoder(EncoderSettings(encoder: "libnothing", timeBase: TimeBase(1, 25)))
        }
        #expect(missing?.status == .encoderNotFound)
        let unknown = #expect(throws: FFmpegError.self) {
            var settings = Self.settings(Self.mono)
            settings.options = ["no_such_option": "1"]
            _ = try Encoder(settings)
        }
        #expect(unknown?.operation == .setOption)
        #expect(unknown?.subject.contains("no_such_option") == true)
    }

    @Test("a full encoder gives every sample back and ends")
    func sound() throws {
        let encoder = try Encoder(Self.settings(Self.mono))
        #expect(encoder.frameSize == 1024)
        let packet = try Packet()
        var packets = 0
        for place in 0..<10 {
            let frame = try Frame.silence(Self.mono, samples: 1024)
            frame.ptsTicks = Int64(place) * 1024
            let isTaken = try encoder.send(frame)
            #expect(isTaken)
            while try encoder.receive(into: packet) { packets += 1 }
        }
        try encoder.finish()
        while try encoder.receive(into: packet) { packets += 1 }
        let parameters = try encoder.parameters()
        #expect(packets == 11 && parameters.frameSize == 1024)
        #expect(!parameters.extradata.isEmpty)
    }

    @Test("a muxer's unknown option is named; a file that cannot grow says why")
    func muxerRefusals() throws {
        let parameters = try Encoder(Self.settings(Self.mono)).parameters()
        func header(_ descriptor: Int32, _ options: [String: String]) throws(FFmpegError) {
            let muxer = try Muxer(
                format: "mp4", descriptor: descriptor, name: "out")
            _ = try muxer.addStream(parameters, OutputStream(timeBase: TimeBase(1, 48_000)))
            try muxer.writeHeader(options: options)
            try muxer.finish()
        }
        let full = Foundation.open("/dev/full", O_RDWR)
        defer { close(full) }
        let noSpace = #expect(throws: FFmpegError.self) { try header(full, [:]) }
        #expect(noSpace?.status == .noSpace)
        let null = Foundation.open("/dev/null", O_RDWR)
        defer { close(null) }
        let unknown = #expect(throws: FFmpegError.self) { try header(null, ["nothing": "1"]) }
        #expect(unknown?.operation == .setOption && unknown?.subject == "nothing")
        let noMuxer = #expect(throws: FFmpegError.self) {
            _ = try Muxer(format: "nothing", descriptor: null, name: "out")
        }
        #expect(noMuxer?.operation == .createOutput)
    }
}
