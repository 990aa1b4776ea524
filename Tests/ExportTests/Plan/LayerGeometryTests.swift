import TakeupFFmpeg
import TakeupModel
import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("Places of layers")
struct LayerGeometryTests {
    private func geometry(_ layout: Layout) -> LayerGeometry {
        LayerGeometry(layout, PlanFixture.encoding())
    }

    private let wide = FrameSize(width: 1920, height: 1080)
    private let tall = FrameSize(width: 1080, height: 1920)

    @Test("an area far larger than the output has pictures of twice its size at most")
    func huge() {
        let area = Area(x: -9.5, y: -9.5, width: 20, height: 20)
        let huge = geometry(Layout(area: Ramped(area)))
        let size = huge.target(for: FrameSize(width: 640, height: 360)).size
        #expect(max(size.width, size.height) <= 2 * max(huge.frame.width, huge.frame.height))
        let place = huge.placement(of: size, at: 0)
        #expect(abs(place.u.slope - Double(size.width) / Double(20 * huge.frame.width)) < 1e-6)
    }

    @Test("a picture of the output's shape is whole and needs no change")
    func whole() {
        for fit in Layout.Fit.allCases {
            let geometry = geometry(Layout(fit: fit))
            let size = geometry.target(for: wide).size
            #expect(size == FrameSize(width: 1280, height: 720))
            #expect(geometry.placement(of: size, at: 3).isWhole(width: 1280, height: 720))
        }
    }

    @Test("a fixed area lies on even samples, and the picture in its middle")
    func fixed() {
        let area = Area(x: 0.6, y: 0.1, width: 0.301, height: 0.4)
        let geometry = geometry(Layout(area: Ramped(area)))
        // 768 to 1153.28 and 72 to 360.
        let (size, fit) = geometry.target(for: tall)
        #expect(size == FrameSize(width: 162, height: 288) && fit == .stretch)
        let placement = geometry.placement(of: size, at: 0)
        #expect(placement.u == .init(fromX: 1, fromY: 0, offset: -880))
        #expect(placement.v == .init(fromX: 0, fromY: 1, offset: -72))
        #expect(placement.window == .init(left: 0, top: 0, right: 162, bottom: 288))
        let filled = self.geometry(Layout(fit: .fill, area: Ramped(area)))
        #expect(filled.target(for: tall).size == FrameSize(width: 386, height: 288))
        #expect(filled.target(for: tall).fit == .fill)
    }

    @Test("a moving area takes its pictures from ones of its largest size")
    func moving() {
        let (from, to) = (
            Area(x: 0, y: 0, width: 0.25, height: 0.25), Area(x: 0.5, y: 0, width: 0.5, height: 0.5)
        )
        let ramp = Ramped(from, ramps: [.init(start: 0, duration: 2, from: from, to: to)])
        let geometry = geometry(Layout(area: ramp))
        let size = geometry.target(for: wide).size
        #expect(size == FrameSize(width: 640, height: 360))
        let middle = geometry.placement(of: size, at: 1)
        // 320 to 800 and 0 to 270.
        #expect(abs(middle.u.fromX * 320 + middle.u.offset) < 1e-9)
        #expect(abs(middle.u.fromX * 800 + middle.u.offset - 640) < 1e-9)
        #expect(abs(middle.v.fromY * 270 + middle.v.offset - 360) < 1e-9)
        // Filled, it shows the middle of the picture in the area alone.
        let filled = self.geometry(Layout(fit: .fill, area: ramp))
        let cover = filled.target(for: tall).size
        #expect(cover == FrameSize(width: 640, height: 1138))
        let seen = filled.placement(of: cover, at: 2)
        #expect(abs(seen.window.left) < 1 && abs(seen.window.right - 640) < 1)
        #expect(abs(seen.window.bottom - seen.window.top - 360) < 2)
        // Nothing is prepared at more than twice the output's size.
        let vast = Area(x: -5, y: -5, width: 20, height: 20)
        let grown = Ramped(from, ramps: [.init(start: 0, duration: 2, from: from, to: vast)])
        #expect(self.geometry(Layout(area: grown)).target(for: wide).size.width == 2560)
    }

    @Test("a turn of 90 degrees moves the upper left corner to the upper right")
    func turned() {
        let area = Area(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
        let geometry = geometry(Layout(area: Ramped(area), rotation: Ramped(90)))
        let size = geometry.target(for: wide).size
        let placement = geometry.placement(of: size, at: 0)
        // The area is 640×360 about 640,360.
        func position(_ x: Double, _ y: Double) -> (Double, Double) {
            (
                placement.u.fromX * x + placement.u.fromY * y + placement.u.offset,
                placement.v.fromX * x + placement.v.fromY * y + placement.v.offset
            )
        }
        #expect(position(640 + 180, 360 - 320) == (0, 0))
        #expect(position(640 - 180, 360 + 320) == (640, 360))
        let bounds = geometry.bounds(at: 0)
        #expect(bounds == .init(left: 460, top: 40, right: 820, bottom: 680))
    }

    @Test("a crop is a part of the picture in its area")
    func crop() {
        let crop = Area(x: 0.25, y: 0, width: 0.5, height: 0.75)
        let geometry = geometry(Layout(crop: Ramped(crop)))
        let placement = geometry.placement(of: geometry.target(for: wide).size, at: 0)
        #expect(placement.window == .init(left: 320, top: 0, right: 960, bottom: 540))
        #expect(!placement.isWhole(width: 1280, height: 720))
    }
}
