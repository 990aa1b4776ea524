import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Trait 14: still pictures and CIE XYZ", .tags(.media))
struct Trait14StillTests {
    private static let colours = [
        (0xC0, 0x80, 0x40), (0x40, 0xC0, 0x80), (0x80, 0x40, 0xC0), (0xE0, 0xE0, 0xE0),
    ]

    private static func picture(_ colour: (Int, Int, Int), _ size: String) -> [String] {
        let name = String(colour.0 << 16 | colour.1 << 8 | colour.2, radix: 16)
        return ["-f", "lavfi", "-i", "color=c=0x\(name):size=\(size):rate=5:duration=1"]
    }

    private func expect(_ clip: Clip, _ colour: (Int, Int, Int), within tolerance: Double = 3)
        async throws
    {
        let made = try await TraitExport(clip, try .hasty("highest", crf: 1))
        let found = try Colour.at(
            40, 40, Picture.lastPlanes(made.path), made.video())
        let wanted = Colour(
            red: Double(colour.0), green: Double(colour.1), blue: Double(colour.2))
        #expect(found.distance(to: wanted) <= tolerance, "\(clip.path): \(found)")
    }

    @Test("stills keep their colours", arguments: ["ppm", "jp2", "j2k", "jxl"])
    func stills(ending: String) async throws {
        for colour in Self.colours {
            let clip = try Clip.make(
                "still.\(ending)", Self.picture(colour, "160x96") + ["-frames:v", "1"])
            try await expect(clip, colour)
        }
    }

    @Test("grey stills are read", arguments: ["pgm", "pbm"])
    func grey(ending: String) async throws {
        let clip = try Clip.make(
            "still.\(ending)", Self.picture(Self.colours[3], "160x96") + ["-frames:v", "1"])
        let made = try await TraitExport(clip, try .hasty("highest", crf: 1))
        #expect(try made.video().width == 160)
    }

    @Test("XYZ keeps its colours, in every size", arguments: ["160x96", "1280x720"])
    func cinema(size: String) async throws {
        for colour in Self.colours {
            let clip = try Clip.make(
                "cinema.nut",
                Self.picture(colour, size) + ["-pix_fmt", "xyz12le", "-c:v", "rawvideo"])
            // FFmpeg's way to XYZ and back costs a level or two.
            try await expect(clip, colour, within: 4)
        }
    }

    /// A still, and how many pictures come out of it.
    private func count(_ clip: Clip) async throws -> Int {
        let made = try await TraitExport(clip, try .hasty("medium"))
        #expect(made.report.loss == nil, "\(clip.path)")
        return try MediaTools.packets(made.path, stream: "v:0").count
    }

    private func still(_ ending: String) throws -> Clip {
        try Clip.make(
            "still.\(ending)", Self.picture(Self.colours[0], "320x180") + ["-frames:v", "1"])
    }

    @Test("one still with other bytes behind it is that still", arguments: ["png", "jpg"])
    func trailing(ending: String) async throws {
        let still = try still(ending)
        for tail in [Data([10]), Data(repeating: 0, count: 40_000), try Clip.base().bytes()] {
            let clip = try still.edited("tail.\(ending)", recipe: "\(tail.count) bytes") {
                $0 += tail
            }
            #expect(try await count(clip) == 1)
            try await expect(clip, Self.colours[0])
        }
    }

    @Test("a photograph with other views behind it is one picture, a film of JPEG or PNG is not")
    func views() async throws {
        let still = try still("jpg")
        let bytes = try still.bytes()
        let mark = Data([0xFF, 0xE2, 0, 10] + Array("MPF".utf8) + [0, 1, 2, 3, 4])
        let views = try still.edited("views.jpg", recipe: "MPF and another") {
            $0.insert(contentsOf: mark, at: $0.startIndex + 2)
            $0 += bytes
        }
        #expect(try await count(views) == 1)
        for ending in ["jpg", "png"] {
            let one = try self.still(ending)
            let film = try Clip.concatenated("film.\(ending)", [one, one, one])
            #expect(try await count(film) == 3)
        }
    }
}
