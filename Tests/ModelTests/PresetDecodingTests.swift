import Foundation
import TakeupModel
import Testing

@Suite("Preset decoding")
struct PresetDecodingTests {
    /// A small preset with the video object's inside, and more keys for the preset itself.
    static func json(video: String = #""codec": "h264""#, and more: String = "") -> String {
        """
        {"name": "mine", "container": "mp4", "video": {\(video)}, "audio": {"codec": "aac"}\(more)}
        """
    }

    static func failure(_ json: String) -> PresetError? {
        do {
            _ = try ExportPreset.decode(Data(json.utf8), from: "mine.json")
            return nil
        } catch {
            return error
        }
    }

    @Test("fills what a file leaves out with the documented defaults")
    func defaults() throws {
        let preset = try ExportPreset.decode(Data(Self.json().utf8), from: "mine.json")
        var expected = ExportPreset(name: "mine", description: "", container: .mp4)
        expected.video = VideoSettings(codec: .h264)
        expected.audio = AudioSettings(codec: .aac)
        #expect(preset == expected)
        #expect(preset.fastStart && preset.subtitles == .keep && preset.sizeLimit == nil)
        #expect(preset.video?.crf == 22 && preset.video?.speed == "medium")
        #expect(preset.audio?.bitRatePerChannel == 64_000 && preset.audio?.maxChannels == 2)
    }

    @Test(
        "refuses video numbers out of range, naming the key",
        arguments: [
            ("maxWidth", "15"), ("maxWidth", "16385"), ("maxHeight", "-1"), ("maxHeight", "2.5"),
            ("crf", "0"), ("crf", "51.5"), ("crf", #""18""#), ("crf", "null"), ("crf", "1e999"),
            ("speed", #""warp""#), ("profile", #""high10""#), ("bitDepth", "9"),
            ("bitDepth", "12"), ("dynamicRange", #""keep""#), ("dynamicRange", #""hdr""#),
            ("maxBitRate", "0"), ("maxBitRate", "99999999999999999999999"),
            ("bufferSeconds", "0"), ("keyframeSeconds", "61"), ("maxFrameRate", "241"),
            ("frameRateMode", #""vfr""#), ("frameRate", #""30""#), ("deinterlace", "true"),
            ("tune", #""fast""#), ("fit", #""blur""#), ("fit", #""cover""#),
            ("orientation", "[]"), ("orientation", "{}"),
        ])
    func videoRanges(key: String, value: String) {
        let error = Self.failure(Self.json(video: #""codec": "h264", "\#(key)": \#(value)"#))
        guard case .invalid("mine.json", let path, let reason) = error else {
            Issue.record("not .invalid: \(String(describing: error))")
            return
        }
        #expect(path == "video.\(key)")
        #expect(!reason.isEmpty)
    }

    @Test(
        "refuses what does not go together, naming the key",
        arguments: [
            ("video.crf", json(video: #""codec": "av1", "crf": 30.5"#)),
            ("video.speed", json(video: #""codec": "av1", "speed": "medium""#)),
            ("video.profile", json(video: #""codec": "h264", "bitDepth": 10, "profile": "high""#)),
            ("video.tune", json(video: #""codec": "hevc", "tune": "film""#)),
            ("video.maxWidth", json(video: #""codec": "copy", "maxWidth": 640"#)),
            ("video.crf", json(video: #""codec": "copy", "crf": null"#)),
            ("video.codec", json(video: #""codec": "vp9""#)),
            ("video.codec", json(video: "")),
            (
                "video.frameRate",
                json(
                    video: """
                        "codec": "h264", "maxFrameRate": 25, "frameRateMode": "constant", \
                        "frameRate": "30"
                        """)
            ),
            ("sizeLimit", json(video: #""codec": "copy""#, and: #", "sizeLimit": 20000"#)),
            ("sizeLimit", json(and: #", "sizeLimit": 0"#)),
            ("fastStart", json(and: #", "fastStart": "yes""#)),
            ("subtitles", json(and: #", "subtitles": "burn""#)),
            ("name", #"{"name": "a b", "container": "mp4", "video": null, "audio": null}"#),
            ("name", #"{"container": "mp4", "video": null, "audio": null}"#),
            ("container", #"{"name": "a", "video": null, "audio": null}"#),
            ("video", #"{"name": "a", "container": "mp4", "audio": null}"#),
            ("audio", #"{"name": "a", "container": "mp4", "video": null, "audio": null}"#),
            ("audio", #"{"name": "a", "container": "mp4", "video": null, "audio": [1]}"#),
            (
                "audio.maxChannels",
                #"""
                {"name": "a", "container": "m4a", "video": null,
                 "audio": {"codec": "aac", "maxChannels": 9}}
                """#
            ),
            (
                "video",
                #"""
                {"name": "a", "container": "m4a", "audio": {"codec": "aac"},
                 "video": {"codec": "h264"}}
                """#
            ),
        ])
    func agreement(key: String, json: String) {
        guard case .invalid(_, let path, _) = Self.failure(json) else {
            Issue.record("not .invalid: \(json)")
            return
        }
        #expect(path == key)
    }

    @Test("how a frame is filled is written only where it is not the default")
    func fitKey() throws {
        let sized = #""codec": "h264", "maxWidth": 90, "maxHeight": 160"#
        for fit in FrameFit.allCases {
            let json = Self.json(video: #"\#(sized), "fit": "\#(fit.rawValue)""#)
            let preset = try ExportPreset.decode(Data(json.utf8), from: "mine.json")
            #expect(preset.video?.fit == fit)
            let text = try preset.canonicalJSON()
            #expect(text.contains(#""fit":"\#(fit.rawValue)""#) == (fit != .fit))
            #expect(try ExportPreset.decode(Data(text.utf8), from: "memory") == preset)
        }
    }

    @Test("names an unknown key and the one that was probably meant")
    func unknownKeys() {
        let inner = Self.failure(Self.json(video: #""codec": "h264", "maxwidth": 640"#))
        #expect(
            inner
                == .invalid(
                    path: "mine.json", key: "video.maxwidth",
                    reason: "is not a key of a preset; did you mean 'maxWidth'?"))
        let outer = Self.failure(Self.json(and: #", "fastStrat": true"#))
        #expect(outer?.description.contains("key 'fastStrat'") == true)
        #expect(outer?.description.contains("did you mean 'fastStart'?") == true)
    }

    @Test(
        "names the line where the JSON breaks",
        arguments: [("{\n \"name\": NaN\n}", 2), ("{\n\n \"name\" 1}", 3), ("[}", 1)])
    func syntax(json: String, line: Int) {
        guard case .invalid(_, "", let reason) = Self.failure(json) else {
            Issue.record("not .invalid at the file")
            return
        }
        #expect(reason.hasPrefix("is not valid JSON at line \(line): "))
    }

    @Test("reads exact frame rates in lowest terms")
    func frameRates() {
        #expect(FrameRateValue("30000/1001")?.description == "30000/1001")
        #expect(FrameRateValue("60/2")?.description == "30")
        for text in [
            "", "/", "0", "30/0", "0/1", "-30", "+30", "29.97", "30/1/1", "241", "1/2", "３０",
            "99999999999999999999", "30000/1001 ", "1000001/1000000",
        ] {
            #expect(FrameRateValue(text) == nil, "\(text)")
        }
    }
}
