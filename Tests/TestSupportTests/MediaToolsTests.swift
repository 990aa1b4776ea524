import Foundation
import TestSupport
import Testing

@Suite("Media tools")
struct MediaToolsTests {
    @Test("a clip is made once and found again")
    func keepsClips() throws {
        let one = try Clip.base()
        let other = try Clip.base()
        #expect(one.path == other.path)
        #expect(try one.bytes().count > 10_000)
        #expect(try Clip.base(seconds: 1).path != one.path)
    }

    @Test("streams, packets, frames and hashes of a known clip agree")
    func readsKnownClip() throws {
        let path = try Clip.base().path
        let file = try MediaTools.probe(path)
        let video = try #require(file.streams("video").first)
        let audio = try #require(file.streams("audio").first)
        #expect(file.format.duration == 2)
        #expect(video.codec == "h264" && video.width == 640 && video.rotation == 0)
        #expect(audio.sampleRate == 48000 && audio.channelLayout == "mono")
        let packets = try MediaTools.packets(path, stream: "v:0")
        #expect(packets.count == 60 && packets[0].isKey)
        #expect(try MediaTools.frameCount(path) == 60)
        let hashes = try MediaTools.frameHashes(path, after: ["-map", "0:v"])
        #expect(hashes.count == 60 && Set(hashes.map(\.md5)).count == 60)
        #expect(try MediaTools.decodeErrors(path).isEmpty)
        let tracks = try MediaTools.mediaInfo(path)
        #expect(tracks.first { $0.type == "Video" }?["Width"] == "640")
    }

    @Test("a damaged clip shows decode errors")
    func countsErrors() throws {
        let damaged = try Clip.base().edited("bad.mp4", recipe: "noise from 5000, 3000 bytes") {
            bytes in
            for index in 5000..<8000 { bytes[index] = UInt8(truncatingIfNeeded: index &* 73) }
        }
        #expect(try !MediaTools.decodeErrors(damaged.path).isEmpty)
    }

    @Test("a rotated clip's matrix is read")
    func readsRotation() throws {
        let turned = try Clip.turned("turned.mov", of: try Clip.base())
        let stream = try #require(try MediaTools.probe(turned.path).streams("video").first)
        #expect(stream.rotation == 90)
    }

    @Test("a file that is no media is refused")
    func refusesText() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Data("no media".utf8), to: "x.mp4")
        #expect(throws: ToolFailure.self) { try MediaTools.probe(path) }
        #expect(try directory.names() == ["x.mp4"])
    }
}
