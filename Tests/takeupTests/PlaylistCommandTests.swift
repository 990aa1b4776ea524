import Foundation
import TakeupModel
import TestSupport
import Testing

@testable import takeup

@Suite("Commands on playlists")
struct PlaylistCommandTests {
    private static let heights = [360, 720, 1080]

    @Test("an export takes the variant of its preset, and a fetch the best")
    func variants() async throws {
        let bench = try AddressBench()
        let clip = Array(try Clip.base(seconds: 1).bytes())
        bench.origin.servePlaylist(
            Dictionary(uniqueKeysWithValues: Self.heights.map { ($0, clip) }))
        let address = bench.origin.url("/master.m3u8")
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
