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
}
