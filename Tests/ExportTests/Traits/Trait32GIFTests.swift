import TakeupExport
import TestSupport
import Testing

@Suite("Trait 32: GIF", .tags(.media))
struct Trait32GIFTests {
    /// Twenty pictures: ten 50 ms apart, then ten 300 ms apart.
    private func clip() throws -> Clip {
        let delays = "setpts='if(lt(N,10),N*0.05,0.5+(N-10)*0.3)/TB'"
        return try Clip.make(
            "delays.gif",
            NumberedPictures.source(rate: "100", seconds: 0.2)
                + ["-vf", "settb=1/100,\(delays)", "-vsync", "vfr"])
    }

    @Test("at any time the source's picture is on the screen")
    func keepsDelays() async throws {
        let clip = try clip()
        let given = try NumberedPictures.shown(in: clip.path)
        #expect(given.map(\.number) == Array(0..<20))
        let trial = try ExportTrial()
        let (path, _) = try await trial.export([clip.path])
        let shown = try NumberedPictures.shown(in: path)
        var state: UInt64 = 32
        let times = (0..<20).map { _ -> Double in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // Delays are whole hundredths: never ask on an edge.
            return Double(state >> 33 % 330) / 100 + 0.005
        }
        #expect(
            times.map { NumberedPictures.number(at: $0, of: shown) }
                == times.map { NumberedPictures.number(at: $0, of: given) })
        let stream = try #require(try MediaTools.probe(path).streams("video").first)
        let source = try #require(try MediaTools.probe(clip.path).streams("video").first?.duration)
        #expect(abs((stream.duration ?? 0) - source) <= 0.011)
        #expect(stream.pixelFormat == "yuv420p")
    }
}
