import TakeupTelemetry
import Testing

@testable import takeup

@Suite("Media log")
struct MediaLogTests {
    @Test("without --verbose nothing is said")
    func silent() {
        let sink = RecordingSink()
        MediaLog.make(isVerbose: false, to: sink).record(.error, "[h264 @ 0x1] broken")
        #expect(sink.text.isEmpty)
    }

    @Test("each kind of message is said once, without addresses")
    func once() {
        let sink = RecordingSink()
        let log = MediaLog.make(isVerbose: true, to: sink)
        log.record(.error, "[h264 @ 0x55d0c0ffee00] error while decoding MB 4 7")
        log.record(.error, "[h264 @ 0x55d0c0ffee99] error while decoding MB 12 30")
        log.record(.warning, "[mov,mp4 @ 0x1] [h264 @ 0x2] no frame!")
        log.record(.info, "not worth a line")
        #expect(
            sink.text
                == "takeup: ffmpeg error: [h264] error while decoding MB 4 7\n"
                + "takeup: ffmpeg warning: [mov,mp4] [h264] no frame!\n")
    }

    @Test("control characters of a hostile file do not reach the terminal")
    func escaped() {
        let sink = RecordingSink()
        MediaLog.make(isVerbose: true, to: sink).record(.error, "name \u{1B}[31m\nnext")
        #expect(!sink.text.contains("\u{1B}"))
        #expect(sink.text.split(separator: "\n").count == 1)
    }

    @Test("a flood of different messages ends")
    func flood() {
        let sink = RecordingSink()
        let log = MediaLog.make(isVerbose: true, to: sink)
        for place in 0..<1000 {
            log.record(.error, String(repeating: "x", count: place))
        }
        #expect(sink.text.split(separator: "\n").count == 200)
    }
}
