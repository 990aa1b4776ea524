import Foundation
import TakeupExport
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@Suite("Layers of pictures, compared with their formulas", .tags(.media))
struct LayerTests {
    private typealias Fixture = LayerFixture
    private let ground = LayerFixture.blue
    private let top = LayerFixture.pale

    private func export(
        _ layout: Layout, size: String = "160x96", _ trial: ExportTrial
    ) async throws -> [LayerFixture.Shown] {
        let made = try await Fixture.export(
            Composition(tracks: [
                Fixture.track([try Fixture.flat("ground.mkv", ground)]),
                Fixture.track([try Fixture.flat("top\(size).mkv", top, size: size)], layout),
            ]), in: trial)
        #expect(made.pictures.count == 10)
        return made.pictures
    }

    /// How much of each luma sample the upper picture covers, and where the middle of that lies.
    private func cover(
        _ shown: LayerFixture.Shown
    ) -> (sum: Double, x: Double, y: Double) {
        var (sum, x, y) = (0.0, 0.0, 0.0)
        for row in 0..<shown.height {
            for column in 0..<shown.width {
                let share = (shown.luma(column, row) - ground.y) / (top.y - ground.y)
                sum += share
                x += share * (Double(column) + 0.5)
                y += share * (Double(row) + 0.5)
            }
        }
        return (sum, x / sum, y / sum)
    }

    @Test("an opacity ramp is even")
    func opacity() async throws {
        let trial = try ExportTrial()
        let layout = Layout(opacity: Fixture.ramp(0, 1, 0.2, 0.5))
        for (index, shown) in try await export(layout, trial).enumerated() {
            let share = min(max((Double(index) / 10 - 0.2) / 0.5, 0), 1)
            let wanted = ground.mixed(top, share)
            for (x, y) in [(1, 1), (80, 48), (158, 94)] {
                #expect(
                    shown.tone(x, y).distance(to: wanted) <= 2.5, "\(index): \(shown.tone(x, y))")
            }
        }
    }

    @Test("a moving and growing area lies where its ramp says, to a part of a sample")
    func area() async throws {
        let trial = try ExportTrial()
        let (from, to) = (
            Area(x: 0.1, y: 0.05, width: 0.25, height: 0.25),
            Area(x: 0.43, y: 0.3, width: 0.5, height: 0.5)
        )
        let layout = Layout(area: Fixture.ramp(from, to))
        for (index, shown) in try await export(layout, trial).enumerated() {
            let area = from.moved(towards: to, by: Double(index) / 10)
            let found = cover(shown)
            let wide = area.width * 160, tall = area.height * 96
            #expect(abs(found.sum / (wide * tall) - 1) < 0.02, "\(index): \(found)")
            #expect(abs(found.x - (area.x * 160 + wide / 2)) < 0.2, "\(index): \(found)")
            #expect(abs(found.y - (area.y * 96 + tall / 2)) < 0.2, "\(index): \(found)")
            let middle = (Int(area.x * 160 + wide / 2), Int(area.y * 96 + tall / 2))
            #expect(shown.tone(middle.0, middle.1).distance(to: top) <= 2.5)
            #expect(shown.tone(1, 94).distance(to: ground) <= 2.5)
        }
    }

    @Test("a rotation turns clockwise about the middle of the area")
    func rotation() async throws {
        let trial = try ExportTrial()
        let layout = Layout(
            area: Ramped(Area(x: 0.25, y: 0.25, width: 0.5, height: 0.5)),
            rotation: Fixture.ramp(0, 90))
        for (index, shown) in try await export(layout, trial).enumerated() {
            let angle = Double(index) * 9 * .pi / 180
            let found = cover(shown)
            #expect(abs(found.sum / (80 * 48) - 1) < 0.03, "\(index): \(found)")
            #expect(abs(found.x - 80) < 0.2 && abs(found.y - 48) < 0.2)
            for row in stride(from: 1, to: 96, by: 5) {
                for column in stride(from: 1, to: 160, by: 5) {
                    let (x, y) = (Double(column) + 0.5 - 80, Double(row) + 0.5 - 48)
                    // Turned back.
                    let across = x * cos(angle) + y * sin(angle)
                    let down = y * cos(angle) - x * sin(angle)
                    let inside = min(40 - abs(across), 24 - abs(down))
                    guard abs(inside) > 4 else { continue }
                    #expect(
                        shown.tone(column, row).distance(to: inside > 0 ? top : ground) <= 4,
                        "\(index) at \(column),\(row)")
                }
            }
        }
    }

    @Test("a crop hides edges and moves nothing")
    func crop() async throws {
        let trial = try ExportTrial()
        let to = Area(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
        for (index, shown) in try await export(Layout(crop: Fixture.ramp(.whole, to)), trial)
            .enumerated()
        {
            let seen = Area.whole.moved(towards: to, by: Double(index) / 10)
            let found = cover(shown)
            let (wide, tall) = (seen.width * 160, seen.height * 96)
            #expect(abs(found.sum / (wide * tall) - 1) < 0.02, "\(index): \(found)")
            #expect(abs(found.x - (seen.x * 160 + wide / 2)) < 0.2)
            #expect(abs(found.y - (seen.y * 96 + tall / 2)) < 0.2)
        }
    }

    @Test(
        "a picture of another shape goes into its area by its fit", arguments: Layout.Fit.allCases)
    func fits(fit: Layout.Fit) async throws {
        let trial = try ExportTrial()
        // As wide as high, on a frame of 160×96.
        let pictures = try await export(Layout(fit: fit), size: "64x64", trial)
        let shown = pictures[5]
        #expect(shown.tone(80, 48).distance(to: top) <= 2.5)
        for (x, y) in [(8, 48), (150, 48)] {
            let tone = shown.tone(x, y)
            switch fit {
            case .fit: #expect(tone.distance(to: ground) <= 2.5)
            case .fill, .stretch: #expect(tone.distance(to: top) <= 2.5)
            // 0.6 of the brightness above black, and of the colour.
            case .blur:
                let darker = LayerFixture.Tone.black.mixed(top, 0.6)
                #expect(tone.distance(to: darker) <= 4, "\(tone)")
            }
        }
        if fit == .fit {
            #expect(abs(cover(shown).sum - 96 * 96) < 100)
        }
    }

    @Test("what is transparent in a picture shows what lies below")
    func alpha() async throws {
        let trial = try ExportTrial()
        let still = try Clip.make(
            "half.png",
            [
                "-f", "lavfi", "-i",
                "color=c=white:size=160x96,format=rgba,geq=r=255:g=255:b=255:a='if(lt(X,80),255,128)'",
                "-frames:v", "1",
            ]
        ).path
        let part = Composition.Segment(
            source: still, range: TimeRange(start: 0, duration: 0.5))
        let made = try await Fixture.export(
            Composition(tracks: [
                Fixture.track([try Fixture.flat("ground.mkv", ground)]),
                .init(.video, segments: [.empty(0.3), part]),
            ]), in: trial)
        let white = LayerFixture.Tone(235, 128, 128)
        for (index, shown) in made.pictures.enumerated() {
            let isSeen = (3..<8).contains(index)
            let left = isSeen ? white : ground
            let right = isSeen ? ground.mixed(white, 128 / 255) : ground
            #expect(shown.tone(40, 48).distance(to: left) <= 2.5, "\(index): \(shown.tone(40, 48))")
            #expect(
                shown.tone(120, 48).distance(to: right) <= 3, "\(index): \(shown.tone(120, 48))")
        }
    }

    @Test("an untouched layer below is passed on, sample by sample, before and behind the others")
    func untouched() async throws {
        let numbers = try Clip.make(
            "numbers.mkv",
            NumberedPictures.source(rate: "25", seconds: 2, first: 1) + [
                "-c:v", "libx264", "-qp", "0", "-g", "25", "-bf", "3",
            ]
        ).path
        let trial = try ExportTrial()
        let upper = Composition.Segment(
            source: try Fixture.flat("top160x96.mkv", top),
            range: TimeRange(start: 0, duration: 0.4))
        let made = try await Fixture.export(
            Composition(tracks: [
                Fixture.track([numbers]),
                .init(
                    .video, segments: [.empty(1), upper],
                    layout: Layout(area: Ramped(Area(x: 0, y: 0, width: 1, height: 0.5)))),
            ]), in: trial)
        #expect(try NumberedPictures.numbers(in: made.report.output, before: []).count == 50)
        for (index, shown) in made.pictures.enumerated() {
            for bar in 0..<8 {
                let level = (index + 1) >> bar & 1 == 1 ? 235.0 : 16
                #expect(abs(shown.luma(bar * 20 + 10, 72) - level) <= 4, "picture \(index)")
            }
            // The upper one in its area's middle, with its own shape.
            let isSeen = (25..<35).contains(index)
            #expect((shown.tone(80, 24).distance(to: top) <= 3) == isSeen, "picture \(index)")
        }
    }

    @Test("stills are shown for as long as is said, also alone and with a segment's own ramp")
    func stills() async throws {
        let still = try Clip.make(
            "still.png",
            ["-f", "lavfi", "-i", "color=c=white:size=160x96", "-frames:v", "1"]
        ).path
        var part = Composition.Segment(source: still, range: TimeRange(start: 0, duration: 1.5))
        part.layout = Layout(opacity: Fixture.ramp(1, 0, 0.5, 1))
        let trial = try ExportTrial()
        let made = try await Fixture.export(
            Composition(tracks: [.init(.video, segments: [.empty(0.5), part])]), in: trial)
        #expect(made.pictures.count == 60)
        let white = LayerFixture.Tone(235, 128, 128)
        for index in [0, 14, 15, 29, 30, 45, 59] {
            let time = Double(index) / 30
            let share = time < 0.5 ? 0 : 1 - min(max((time - 1) / 1, 0), 1)
            let found = made.pictures[index].tone(80, 48)
            #expect(found.distance(to: LayerFixture.Tone.black.mixed(white, share)) <= 2.5)
        }
    }

    @Test("a cancel at any moment leaves nothing")
    func cancel() async throws {
        let clip = try Fixture.flat("long.mkv", ground, size: "320x192", rate: 25, seconds: 6)
        let layers = (0..<4).map { place in
            Fixture.track(
                [clip, clip], Layout(opacity: Fixture.ramp(0, 1, MediaTime(seconds: Int64(place)))),
                joined: Transition(.dissolve, 1))
        }
        var cancelled = 0
        for delay in [0, 5, 20, 60, 120, 200] {
            let trial = try ExportTrial()
            let session = try ExportSession(
                ExportRequest(Composition(tracks: layers), preset: try ExportTrial.preset()))
            let output = trial.file("out.mp4")
            let task = Task { try await session.export(to: output) }
            try await Task.sleep(for: .milliseconds(delay))
            session.cancel()
            if case .failure(let error) = await task.result {
                #expect(error as? ExportError == .cancelled)
                #expect(try trial.names() == [])
                cancelled += 1
            }
        }
        #expect(cancelled > 0)
    }

    @Test("a truncated source in any layer is found")
    func truncated() async throws {
        let long = try Clip.make(
            "long.mkv", Clip.picture(size: "160x96", rate: "25", seconds: 4) + ["-c:v", "libx264"])
        let cut = try long.truncated(toBytes: Int(try long.bytes().count * 2 / 3), as: "cut.mkv")
        let trial = try ExportTrial()
        let request = ExportRequest(
            Composition(tracks: [
                Fixture.track([try Fixture.flat("ground.mkv", ground)]),
                Fixture.track([cut.path]),
            ]), preset: try Fixture.preset())
        await #expect(throws: ExportError.self) {
            _ = try await ExportSession(request).export(to: trial.file("out.mp4"))
        }
        #expect(try trial.names() == [])
    }
}
