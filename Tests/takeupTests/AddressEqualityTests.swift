import Foundation
import TestSupport
import Testing

@testable import TakeupDaemon
@testable import takeup

/// Sources as origins serve them, each exported by the program itself and beside its local file.
@Suite("Exports of addresses and of their files")
struct AddressEqualityTests {
    /// CRF without a bit rate's bounds: the encoder's pictures are the same in every run.
    private static let preset = """
        {"name": "same", "description": "the same pictures in every run", "container": "mp4",
         "video": {"codec": "h264", "maxWidth": 320, "maxHeight": 180, "crf": 30,
          "speed": "ultrafast", "maxBitRate": null, "keyframeSeconds": 2.0, "maxFrameRate": null},
         "audio": {"codec": "aac", "bitRatePerChannel": 64000, "maxChannels": 2,
          "maxSampleRate": 48000, "tracks": "first"}, "fastStart": true}
        """

    /// Exports both, copied and encoded, and compares what an independent tool decodes.
    private func expectEqual(_ bench: AddressBench, _ address: String, _ local: String) throws {
        try bench.bench.write(Self.preset, to: "same.json")
        for preset in ["passthrough", "same.json --copy never"] {
            let frames = try [address, local].enumerated().map { place, source in
                let line = "export \(source) -o \(place).mp4 --preset \(preset) --quiet"
                let outcome = try bench.program("\(line) --overwrite replace")
                _ = try outcome.requireSuccess()
                return try MediaTools.frameHashes(bench.file("\(place).mp4"))
            }
            #expect(frames[0] == frames[1], "\(preset)")
            #expect(frames[0].count { $0.stream == 0 } >= 60)
        }
    }

    @Test(
        "an MP4 with its index last",
        arguments: ["plain", "ranges ignored", "throttled", "ranges ignored, throttled"])
    func indexLast(kind: String) throws {
        let bench = try AddressBench()
        let clip = try Clip.base(seconds: 2)
        let bytes = [UInt8](try clip.bytes())
        let places = ["moov", "mdat"].map { Data(bytes).range(of: Data($0.utf8))?.lowerBound ?? 0 }
        #expect(places[0] > places[1])
        let address = bench.serve("/a.mp4", bytes) { object in
            if kind.contains("ignored") {
                (object.faults.ranges, object.faults.acceptRanges) = (.ignored, nil)
            }
            if kind.contains("throttled") { object.faults.bytesPerSecond = bytes.count / 2 }
        }
        try expectEqual(bench, address, clip.path)
    }

    @Test(
        "a finished HLS playlist of transport streams, or of fragments behind a map",
        arguments: ["mpegts", "fmp4"], [false, true])
    func playlist(kind: String, isThrottled: Bool) throws {
        let bench = try AddressBench()
        let list = try Clip.make(
            "list.m3u8",
            Clip.picture(size: "320x180", seconds: 4) + Clip.tone(seconds: 4) + [
                "-c:v", "libx264", "-preset", "veryfast", "-g", "30", "-bf", "2",
                "-pix_fmt", "yuv420p", "-c:a", "aac", "-f", "hls", "-hls_time", "1",
                "-hls_playlist_type", "vod", "-hls_segment_type", kind,
            ])
        let folder = (list.path as NSString).deletingLastPathComponent
        let pieces = (0..<4).map { "list\($0).\(kind == "fmp4" ? "m4s" : "ts")" }
        var whole = Data()
        for name in (kind == "fmp4" ? ["init.mp4"] : []) + pieces {
            let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
            whole += bytes
            _ = bench.serve("/v/\(name)", [UInt8](bytes)) { object in
                object.contentType = kind == "fmp4" ? "video/mp4" : "video/mp2t"
                if isThrottled { object.faults.bytesPerSecond = bytes.count * 4 }
            }
        }
        let text = try list.bytes()
        #expect(String(decoding: text, as: UTF8.self).contains("EXT-X-MAP") == (kind == "fmp4"))
        let address = bench.serve("/v/list.m3u8", [UInt8](text)) {
            $0.contentType = "application/vnd.apple.mpegurl"
        }
        let local = bench.file("local.\(kind == "fmp4" ? "mp4" : "ts")")
        try whole.write(to: URL(filePath: local))
        try expectEqual(bench, address, local)
        for name in pieces.dropFirst() { #expect(bench.origin.requestCount("/v/\(name)") == 1) }
        // A byte of the first one is asked for at each opening and at the end.
        let first = try Data(contentsOf: URL(filePath: "\(folder)/\(pieces[0])")).count
        #expect((first...first + 4).contains(Int(bench.origin.bytesServed("/v/\(pieces[0])"))))
    }
}
