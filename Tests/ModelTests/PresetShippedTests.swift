import Foundation
import TakeupModel
import Testing

@Suite("Shipped presets")
struct PresetShippedTests {
    static let names = [
        "low", "medium", "highest", "640x480", "960x540", "1280x720", "1920x1080", "3840x2160",
        "hevc-highest", "hevc-1920x1080", "hevc-3840x2160", "m4a", "passthrough", "stories",
        "av1-1920x1080", "proxy", "social-10mb", "social-25mb", "social-50mb",
    ]

    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../presets").standardized

    @Test("are the contract's list, in its order")
    func list() {
        #expect(ExportPreset.shipped.map(\.name) == Self.names)
        #expect(Self.names.contains(ExportPreset.defaultName))
    }

    @Test("are the files of presets/, no more and no fewer")
    func files() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let presets = files.filter { $0 != "templates" }
        #expect(presets.sorted() == Self.names.map { "\($0).json" }.sorted())
    }

    @Test("say the same embedded and on disk", arguments: names)
    func embedded(name: String) throws {
        let path = Self.folder.appendingPathComponent("\(name).json").path
        #expect(try ExportPreset.load(path: path) == ExportPreset.named(name))
    }

    @Test("come back whole from JSON", arguments: names)
    func roundTrip(name: String) throws {
        let preset = try ExportPreset.named(name)
        let json = try JSONEncoder().encode(preset)
        #expect(try ExportPreset.decode(json, from: "memory") == preset)
    }

    @Test("spell out every key, and nothing else", arguments: names)
    func everyKey(name: String) throws {
        let preset = try ExportPreset.named(name)
        let file = Self.folder.appendingPathComponent("\(preset.name).json")
        let written = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        let whole = try JSONSerialization.jsonObject(with: JSONEncoder().encode(preset))
        #expect(written as? NSDictionary == whole as? NSDictionary)
        #expect(!preset.description.isEmpty && !preset.description.contains("\n"))
    }

    @Test("cap no frame rate but in proxy and the social ones", arguments: names)
    func frameRate(name: String) throws {
        let preset = try ExportPreset.named(name)
        let isCapped = preset.video?.maxFrameRate != nil
        #expect(isCapped == (name == "proxy" || name.hasPrefix("social-")))
        #expect(preset.video.map { $0.frameRateMode == .source } ?? true)
    }

    @Test("turn HDR into SDR except with HEVC and AV1", arguments: names)
    func dynamicRange(name: String) throws {
        let preset = try ExportPreset.named(name)
        guard let video = preset.video else { return }
        #expect((video.dynamicRange == .sdr) == (video.codec == .h264))
        #expect((video.bitDepth == 8) == (video.codec == .h264))
    }

    @Test("hold coded video under a bit rate cap", arguments: names)
    func cap(name: String) throws {
        let preset = try ExportPreset.named(name)
        guard let video = preset.video, video.codec != .copy else { return }
        #expect(video.maxBitRate != nil)
    }

    @Test("named for a size in megabytes stay below it", arguments: [10, 25, 50])
    func megabytes(size: Int64) throws {
        #expect(try ExportPreset.named("social-\(size)mb").sizeLimit == size * 1_000_000)
    }

    @Test("of which only stories fills a frame")
    func frames() throws {
        let filling = ExportPreset.shipped.filter { ($0.video?.fit ?? .fit) != .fit }
        #expect(filling.map(\.name) == ["stories"] && filling[0].video?.fit == .blur)
    }

    @Test("named for a size limit the picture to it")
    func sizes() throws {
        for name in Self.names where name.contains("x") && name.contains(where: \.isNumber) {
            let video = try #require(try ExportPreset.named(name).video)
            let size = try #require(name.split(separator: "-").last)
            #expect("\(video.maxWidth ?? 0)x\(video.maxHeight ?? 0)" == size)
        }
    }
}
