import TakeupWatch
import Testing

@Suite("Output template")
struct OutputTemplateTests {
    private func path(_ template: String, _ source: String, preset: String = "web") throws -> String
    {
        let source = OutputSource(
            path: source, preset: preset, secondsSince1970: 1_709_164_800)
        return try OutputTemplate(template).path(for: source)
    }

    @Test(
        "fills in what it is asked for",
        arguments: [
            ("{folder}/{stem}.mp4", "a/b/clip.one.mov", "a/b/clip.one.mp4"),
            ("{folder}/{stem}.mp4", "clip.mov", "clip.mp4"),
            ("{name}.mp4", "a/clip.mov", "clip.mov.mp4"),
            ("{suffix}/{stem}-{preset}.m4a", "clip.mov", "mov/clip-web.m4a"),
            ("{year}/{month}/{day}/{stem}.mp4", "clip.mov", "2024/02/29/clip.mp4"),
            ("x{stem}{stem}", "clip", "xclipclip"), ("{suffix}.mp4", ".mov", ".mp4"),
        ])
    func fills(template: String, source: String, expected: String) throws {
        #expect(try path(template, source) == expected)
    }

    @Test(
        "refuses what cannot be used",
        arguments: [
            "", "/a/{stem}", "../{stem}", "a/../{stem}", "a//b", "a/", "./a", "{nope}.mp4",
            "{stem", "stem}", "{{stem}}", "a\n{stem}", "{}", String(repeating: "a", count: 1025),
        ])
    func refuses(template: String) {
        #expect(throws: WatchError.self) { try OutputTemplate(template) }
    }

    @Test(
        "no source and no preset leads out of the output folder",
        arguments: [
            "../../etc/x.mov", "/etc/x.mov", "a/../../x", "..", ".", "", "/", "a/./b", "../..mov",
            "a\0b/c\n.mov", "a/\u{301}b", "..\u{301}/x",
        ])
    func staysInside(source: String) throws {
        let templates = [
            "{folder}/{stem}", "{folder}/{name}", "{stem}", "{preset}/{suffix}", "{folder}",
        ]
        for template in templates {
            for preset in ["..", "../..", "/", "web"] {
                let path = try path(template, source, preset: preset)
                let names = path.unicodeScalars.split(
                    separator: "/", omittingEmptySubsequences: false)
                for name in names.map({ String($0) }) {
                    #expect(
                        ![".", "..", ""].contains(name), "\(template) of \(source.debugDescription)"
                    )
                    #expect(!name.utf8.contains { $0 < 32 })
                }
            }
        }
    }

    @Test(
        "names that are too long stay different, whole in their characters, and keep their suffix")
    func shortens() throws {
        for letter in ["a", "é", "漢", "👩‍👩‍👧"] {
            let long = String(repeating: letter, count: 250)
            let one = try path("{folder}/{stem}.mp4", "\(long)1/\(long)1.mov")
            let two = try path("{folder}/{stem}.mp4", "\(long)1/\(long)2.mov")
            #expect(one != two)
            #expect(try path("{folder}/{stem}.mp4", "\(long)1/\(long)1.mov") == one)
            let names = one.split(separator: "/")
            #expect(names.count == 2)
            for name in names {
                #expect(name.utf8.count <= OutputTemplate.mostNameBytes)
                #expect(name.utf8.count > OutputTemplate.mostNameBytes - 40 || letter == "a")
                #expect(!name.unicodeScalars.contains("\u{fffd}"))
            }
            #expect(one.hasSuffix(".mp4"))
        }
        let exact = String(repeating: "a", count: 251)
        #expect(try path("{stem}.m4a", "\(exact).mov") == "\(exact).m4a")
    }

    @Test("names that differ in control characters only stay different")
    func controls() throws {
        let names = try ["a\nb", "a\tb", "a_b"].map { try path("{stem}.mp4", "\($0).mov") }
        #expect(Set(names).count == 3)
        #expect(names[2] == "a_b.mp4")
        #expect(names[0].hasSuffix(".mp4"))
    }
}
