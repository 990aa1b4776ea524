import Foundation
import TestSupport
import Testing

@testable import takeup

@Suite("Commands on playlists")
struct PlaylistCommandTests {
    private static let heights = [360, 720, 1080]

    /// Serves a master playlist of three sizes.
    private func serve(_ bench: AddressBench, _ clip: [UInt8]) -> String {
        var master = ["#EXTM3U"]
        for height in Self.heights {
            master += [
                "#EXT-X-STREAM-INF:BANDWIDTH=\(height),RESOLUTION=\(height * 16 / 9)x\(height)",
                "\(height).m3u8",
            ]
            let lines = [
                "#EXTM3U", "#EXT-X-TARGETDURATION:4", "#EXTINF:4,", "\(height).mp4",
                "#EXT-X-ENDLIST",
            ]
            _ = bench.serve("/\(height).m3u8", Array(lines.joined(separator: "\n").utf8))
            _ = bench.serve("/\(height).mp4", clip)
        }
        return bench.serve("/master.m3u8", Array(master.joined(separator: "\n").utf8))
    }

    @Test("an export takes the variant of its preset, and a fetch the best")
    func variants() async throws {
        let bench = try AddressBench()
        let clip = Array(try Clip.base(seconds: 1).bytes())
        let address = serve(bench, clip)
        for (line, height) in [
            ("export \(address) -o a.mp4 --preset low --dry-run", 360),
            ("export \(address) -o a.mp4 --preset low", 360),
            ("export \(address) -o b.mp4 --preset medium", 720), ("fetch \(address)", 1080),
        ] {
            let before = Self.heights.map { bench.origin.requestCount("/\($0).m3u8") }
            #expect(await bench.run("\(line) \(AddressBench.network)") == .success)
            let after = Self.heights.map { bench.origin.requestCount("/\($0).m3u8") }
            let asked = zip(Self.heights, zip(before, after)).filter { $1.0 != $1.1 }
            #expect(asked.map(\.0) == [height], "\(line)")
            #expect(bench.origin.bytesServed("/\(height).mp4") <= Int64(clip.count) + 9)
        }
    }
}
