import Foundation
import Testing

@testable import TakeupModel

@Suite("Changes of a preset for one export")
struct PresetChangeTests {
    private func changed(_ name: String, _ changes: String...) throws -> ExportPreset {
        try ExportPreset.named(name).setting(
            changes.map { try #require(PresetChange(parsing: $0)) })
    }

    private func refusal(_ name: String, _ changes: String...) throws -> String? {
        do {
            _ = try ExportPreset.named(name).setting(
                changes.compactMap(PresetChange.init(parsing:)))
            return nil
        } catch {
            #expect(Failure(error).exitCode == .usage)
            return Failure(error).message
        }
    }

    @Test("set numbers, words, rates, truth values and null, and nothing else")
    func sets() throws {
        let plain = try ExportPreset.named("medium")
        let preset = try changed(
            "medium", "video.crf=20", "video.frameRate=30", "video.frameRateMode=constant",
            "video.maxBitRate=null", "audio.maxChannels=6", "fastStart=false",
            "sizeLimit=1000000", "subtitles=drop", "video.tune=film")
        #expect(preset.video?.crf == 20 && preset.video?.frameRate?.description == "30")
        #expect(
            preset.audio?.maxChannels == 6 && !preset.fastStart && preset.sizeLimit == 1_000_000)
        #expect(preset.subtitles == .drop && preset.video?.tune == "film")
        #expect(preset.video?.maxWidth == plain.video?.maxWidth && preset.name == plain.name)
        #expect(try ExportPreset.named("medium").setting([]) == plain)
    }

    @Test("a loudness may have a ceiling, goes away with null, and no preset without one tells any")
    func loudness() throws {
        let plain = try ExportPreset.named("medium")
        #expect(plain.audio?.loudness == nil)
        #expect(try !plain.canonicalJSON().contains("truePeak"))
        let preset = try changed("medium", "audio.loudness=-16", "audio.truePeak=-1.5")
        #expect(preset.audio?.loudness == -16 && preset.audio?.truePeak == -1.5)
        #expect(try changed("medium", "audio.loudness=-23").audio?.truePeak == -1)
        var stored = preset
        stored.changes = []
        let text = try stored.canonicalJSON()
        #expect(try ExportPreset.decode(Data(text.utf8), from: "queue") == stored)
        let off = try stored.setting([PresetChange("audio.loudness", "null")])
        #expect(off.audio == plain.audio)
        #expect(try refusal("medium", "audio.loudness=-3")?.contains("-40 to -5") == true)
        #expect(try refusal("medium", "audio.loudness=loud")?.contains("-40 to -5") == true)
        #expect(
            try refusal("medium", "audio.loudness=-16", "audio.truePeak=1")?
                .contains("-9 to 0") == true)
        #expect(try refusal("medium", "audio.truePeak=-2")?.contains("without 'loudness'") == true)
        #expect(
            try refusal("passthrough", "audio.loudness=-16")?.contains("a copied track") == true)
    }

    @Test("a later change of a field replaces an earlier one, and their order is no difference")
    func order() throws {
        let one = try changed("medium", "video.crf=20", "audio.maxChannels=1", "video.crf=21")
        let other = try changed("medium", "audio.maxChannels=1", "video.crf=21")
        #expect(one == other && one.video?.crf == 21)
        #expect(try one.canonicalJSON() == other.canonicalJSON())
        let again = try one.setting([PresetChange("audio.maxChannels", "2")])
        #expect(again.changes.map(\.description) == ["audio.maxChannels=2", "video.crf=21"])
    }

    @Test("travel with the preset, and a preset without changes is written as ever")
    func written() throws {
        let preset = try changed("1280x720", "video.crf=20")
        let text = try preset.canonicalJSON()
        #expect(try ExportPreset.decode(Data(text.utf8), from: "queue") == preset)
        #expect(text.contains(#""changes":["video.crf=20"]"#))
        #expect(try !ExportPreset.named("1280x720").canonicalJSON().contains("changes"))
    }

    @Test("another codec drops the words of the first encoder, a copy all settings")
    func codec() throws {
        let hevc = try changed("medium", "video.codec=hevc")
        #expect(hevc.video?.codec == .hevc && hevc.video?.profile == nil)
        let copy = try changed("medium", "video.codec=copy", "audio.codec=copy")
        #expect(copy.video?.codec == .copy && copy.audio?.codec == .copy)
        #expect(try changed("medium", "video.codec=av1", "video.speed=10").video?.speed == "10")
    }

    @Test(
        "what cannot be set is refused with the field, the value and what it needs",
        arguments: [
            ("medium", "video.crf=abc", "a number from 1 to 51, but holds 'abc'"),
            ("medium", "video.crf=99", "a number from 1 to 51"),
            ("medium", "video.crff=3", "did you mean 'video.crf'?"),
            ("medium", "name=x", "is no field of a preset"),
            ("medium", "video=null", "is no field of a preset"),
            ("medium", "video.profile=foo", "'baseline', 'main', 'high'"),
            ("medium", "fastStart=maybe", "true or false"),
            ("m4a", "video.crf=20", "the preset has no pictures"),
            ("passthrough", "video.crf=20", "a copied track is not encoded"),
            ("passthrough", "sizeLimit=100000", "the size of a copied track is given"),
            ("medium", "video.crf=" + String(repeating: "1", count: 500), "more than 400 bytes"),
        ])
    func refused(name: String, change: String, words: String) throws {
        let message = try #require(try refusal(name, change))
        #expect(message.contains(words), "\(message)")
        #expect(message.contains("in the preset '\(name)'"))
    }

    @Test("every field of every shipped preset can be set to the value that it has")
    func allFields() throws {
        for preset in ExportPreset.shipped {
            let json = try JSONSerialization.jsonObject(with: Data(preset.canonicalJSON().utf8))
            let object = try #require(json as? [String: Any])
            for field in ExportPreset.fields {
                var value: Any? = object
                for part in field.split(separator: ".") {
                    value = (value as? [String: Any])?[String(part)]
                }
                guard let value, !field.hasSuffix(".codec") else { continue }
                let text =
                    value is NSNull
                    ? "null"
                    : (value as? NSNumber).map {
                        isTruth($0) ? "\($0.boolValue)" : "\($0)"
                    } ?? "\(value)"
                var same = try preset.setting([PresetChange(field, text)])
                same.changes = []
                #expect(same == preset, "\(preset.name) \(field)=\(text)")
            }
        }
    }

    private func isTruth(_ number: NSNumber) -> Bool {
        String(cString: number.objCType) == "c"
    }

    @Test("a text without a key or a = is no change")
    func parsing() {
        #expect(PresetChange(parsing: "video.crf") == nil && PresetChange(parsing: "=3") == nil)
        #expect(PresetChange(parsing: "a=b=c") == PresetChange("a", "b=c"))
        #expect(PresetChange(parsing: "a=") == PresetChange("a", ""))
    }
}
