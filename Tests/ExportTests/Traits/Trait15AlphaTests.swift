import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Trait 15: transparent pictures", .tags(.media))
struct Trait15AlphaTests {
    static let codecs: [(String, [String])] = [
        ("alpha.mov", ["-c:v", "qtrle"]),
        ("prores.mov", ["-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le"]),
        ("png.mov", ["-c:v", "png", "-pix_fmt", "rgba"]),
        (
            "vp9.webm",
            [
                "-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p", "-auto-alt-ref", "0", "-b:v", "0",
                "-crf", "4",
            ]
        ),
    ]

    @Test("are put on black, by as much as they are opaque", arguments: codecs)
    func composesOnBlack(_ name: String, _ arguments: [String]) async throws {
        // Half opaque red; opaque grey; white that must not be seen at all.
        let red = "if(lt(X,64),200,if(lt(X,128),100,255))".replacingOccurrences(
            of: ",", with: "\\,")
        let rest = "if(lt(X,64),0,if(lt(X,128),100,255))".replacingOccurrences(of: ",", with: "\\,")
        let alpha = "if(lt(X,64),128,if(lt(X,128),255,0))".replacingOccurrences(
            of: ",", with: "\\,")
        let picture = "nullsrc=size=192x96:rate=25:duration=0.2,format=rgba"
        let clip = try Clip.make(
            name,
            ["-f", "lavfi", "-i", "\(picture),geq=r=\(red):g=\(rest):b=\(rest):a=\(alpha)"]
                + arguments)
        let made = try await TraitExport(clip, try .hasty("highest", crf: 1))
        try made.expectSound()
        #expect(try made.video().pixelFormat == "yuv420p" && made.decides("alpha"))
        let planes = try Picture.lastPlanes(made.path)
        let wanted = [
            Colour(red: 100, green: 0, blue: 0), Colour(red: 100, green: 100, blue: 100),
            Colour(red: 0, green: 0, blue: 0),
        ]
        for (place, colour) in wanted.enumerated() {
            let found = try Colour.at(place * 64 + 32, 48, planes, made.video())
            #expect(found.distance(to: colour) <= 5, "\(place): \(found), not \(colour)")
        }
    }
}
