import TakeupFFmpeg
import Testing

@Suite("Pictures laid on others")
struct FrameLayersTests {
    private func frame(_ samples: [Int], _ format: String = "yuv420p") throws -> Frame {
        try Frame.filled(
            width: 16, height: 8, #require(PixelFormat(named: format)), samples: samples)
    }

    private func placement(_ x: Double = 0, _ y: Double = 0) -> PicturePlacement {
        PicturePlacement(
            u: .init(fromX: 1, fromY: 0, offset: -x), v: .init(fromX: 0, fromY: 1, offset: -y),
            window: .init(left: 0, top: 0, right: 16, bottom: 8))
    }

    @Test("a weight blends each plane, in 8 and in 10 bits")
    func weight() throws {
        for (format, scale) in [("yuv420p", 1), ("yuv420p10le", 4)] {
            let ground = try frame([100, 60, 200].map { $0 * scale }, format)
            let picture = try frame([200, 160, 100].map { $0 * scale }, format)
            var placement = placement()
            placement.weight = 0.25
            ground.lay(picture, placement, over: ground)
            #expect(ground.firstSamples == [125, 85, 175].map { $0 * scale })
        }
    }

    @Test("pictures that share a place are added, each to the same ground")
    func shared() throws {
        let ground = try frame([100, 128, 128])
        let below = try ground.copied()
        var placement = placement()
        placement.weight = 0.5
        ground.lay(try frame([200, 128, 128]), placement, over: below)
        ground.lay(try frame([40, 100, 140]), placement, over: below)
        #expect(ground.firstSamples == [120, 114, 134])
    }

    @Test("a part of a sample is covered in part, and a window and a clip end what is seen")
    func edges() throws {
        let ground = try frame([16, 128, 128])
        // From 0.25 on: the first column is covered by three quarters.
        ground.lay(try frame([216, 128, 128]), placement(0.25), over: ground)
        #expect(ground.firstSamples[0] == 166)
        let other = try frame([16, 128, 128])
        var hidden = placement()
        hidden.clip.left = 0.5
        other.lay(try frame([216, 128, 128]), hidden, over: other)
        #expect(other.firstSamples[0] == 116)
        hidden.clip.left = 4
        let third = try frame([16, 128, 128])
        third.lay(try frame([216, 200, 128]), hidden, over: third)
        #expect(third.firstSamples == [16, 128, 128])
    }

    @Test("what is transparent shows the ground: samples are premultiplied about black")
    func alpha() throws {
        let ground = try frame([100, 60, 200])
        // Half of white: 16 + 219/2.
        let half = try frame([126, 128, 128, 128], "yuva420p")
        ground.lay(half, placement(), over: ground)
        #expect(abs(ground.firstSamples[0] - (126 + 42)) <= 1)
        #expect(abs(ground.firstSamples[1] - 94) <= 1)
        let clear = try frame([16, 128, 128, 0], "yuva420p")
        let other = try frame([100, 60, 200])
        other.lay(clear, placement(), over: other)
        #expect(other.firstSamples == [100, 60, 200])
    }

    @Test("a tint replaces a share of the picture")
    func tint() throws {
        let ground = try frame([16, 128, 128])
        var placement = placement()
        placement.tint = (0.5, [235, 128, 128])
        ground.lay(try frame([35, 100, 156]), placement, over: ground)
        #expect(ground.firstSamples == [135, 114, 142])
    }

    @Test("a half lies where the picture lay")
    func halves() throws {
        let ground = try frame([16, 128, 128])
        var small = PicturePlacement(
            u: .init(fromX: 4, fromY: 0, offset: 0), v: .init(fromX: 0, fromY: 4, offset: 0),
            window: .init(left: 0, top: 0, right: 16, bottom: 8))
        let half = try frame([200, 90, 100]).halved()
        #expect(half.videoFormat.width == 8 && half.videoFormat.height == 4)
        small.halve()
        ground.lay(half, small, over: ground)
        #expect(ground.firstSamples == [200, 90, 100])
    }

    @Test("only a picture in place, fully seen, hides everything")
    func whole() throws {
        #expect(placement().isWhole(width: 16, height: 8))
        #expect(
            !placement().isWhole(width: 18, height: 8)
                && !placement(1).isWhole(width: 16, height: 8))
        var other = placement()
        other.weight = 0.99
        #expect(!other.isWhole(width: 16, height: 8))
        other = placement()
        other.clip.top = 1
        #expect(!other.isWhole(width: 16, height: 8))
    }
}
