import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("ExportPlanner")
struct ExportPlannerTests {
    @Test("scales and encodes what is larger than the preset")
    func encodes() throws {
        let source = PlanFixture.asset([PlanFixture.video(), PlanFixture.audio()])
        let plan = try PlanFixture.plan([source])
        let video = try #require(plan.video)
        #expect(video.segments == [PlanFixture.segment()])
        let timing = PlanFixture.timing(
            timescale: Timescale.of(rate: Ratio(25, 1)), grid: Ratio(25, 1))
        let preset = try #require(try ExportPreset.named("1280x720").video)
        let expected = PlanFixture.encoding {
            $0.timing = timing
            $0.timing.maximumRate = preset.maxFrameRate
            $0.keyFrameInterval = Int(preset.keyframeSeconds * 25)
        }
        #expect(video.mode == .encode(expected))
        #expect(plan.audio.map(\.segments) == [[PlanFixture.segment(track: 1)]])
        #expect(plan.duration == 10 && plan.fastStart && plan.sizeLimit == nil)
    }

    @Test(
        "scales down what is larger than the encoder takes, without a limit of the preset too",
        arguments: [("highest", 16_384), ("hevc-highest", 16_384)])
    func limitsSides(preset: String, most: Int) throws {
        let video = PlanFixture.video { $1.width = 20_000 }
        var settings = ExportSettings()
        settings.copy = .never
        let plan = try PlanFixture.plan(
            [PlanFixture.asset([video])], preset: preset, settings: settings)
        guard case .encode(let encoding) = plan.video?.mode else {
            Issue.record("\(String(describing: plan.video))")
            return
        }
        #expect(encoding.width == most && encoding.height == 884 && encoding.area == nil)
    }

    @Test("copies what meets the preset, and says so")
    func copies() throws {
        let source = PlanFixture.asset([PlanFixture.video(), PlanFixture.audio()])
        let plan = try PlanFixture.plan([source], preset: "1920x1080")
        #expect(plan.video?.mode == .copy && plan.audio.map(\.mode) == [.copy])
        #expect(plan.isPlainCopy)
        #expect(plan.decisions.map(\.subject) == ["video", "audio"])
        #expect("\(plan)".contains("video: copy h264"))
        var never = ExportSettings()
        never.copy = .never
        #expect(try !PlanFixture.plan([source], preset: "1920x1080", settings: never).isPlainCopy)
    }

    @Test("a time range is cut out of the source and begins the output")
    func range() throws {
        var settings = ExportSettings()
        settings.timeRange = TimeRange(start: 2.5, duration: 3)
        let source = PlanFixture.asset([
            PlanFixture.video { track, _ in track.startTime = 1 },
            PlanFixture.audio { track, _ in track.startTime = 1 },
        ])
        let plan = try PlanFixture.plan([source], preset: "1920x1080", settings: settings)
        let cut = PlanFixture.segment(start: 3.5, duration: 3, isWhole: false)
        #expect(plan.video?.segments == [cut])
        #expect(plan.duration == 3 && !plan.isPlainCopy)
        settings.timeRange = TimeRange(start: 10)
        let late = settings
        #expect(throws: ExportError.self) { try PlanFixture.plan([source], settings: late) }
    }

    @Test("joined inputs follow one another, and a range runs across them")
    func joined() throws {
        let source = PlanFixture.asset([PlanFixture.video(), PlanFixture.audio()])
        let whole = try PlanFixture.plan([source, source])
        #expect(whole.duration == 20)
        #expect(whole.video?.segments.map(\.targetStart) == [0, 10])
        #expect(whole.video?.segments.map(\.mustFill) == [true, false])
        #expect(whole.video?.segments.map(\.source) == [0, 1])
        var settings = ExportSettings()
        settings.timeRange = TimeRange(start: 8, end: 11)
        let part = try PlanFixture.plan([source, source], settings: settings)
        #expect(part.video?.segments.map(\.sourceStart) == [8, 0])
        #expect(part.video?.segments.map(\.duration) == [2, 1])
        settings.timeRange = TimeRange(start: 12)
        let second = try PlanFixture.plan([source, source], settings: settings)
        #expect(second.video?.segments.map(\.source) == [1] && second.duration == 8)
    }

    @Test("sound that one of the joined inputs lacks is silence there")
    func joinedSilence() throws {
        let (full, mute) = (
            PlanFixture.asset([PlanFixture.video(), PlanFixture.audio()]),
            PlanFixture.asset([PlanFixture.video()])
        )
        let plan = try PlanFixture.plan([mute, full])
        #expect(plan.audio.map { $0.segments.map(\.track) } == [[nil, 1]])
        let blind = PlanFixture.asset([PlanFixture.audio()])
        #expect(throws: ExportError.self) { try PlanFixture.plan([full, blind]) }
    }

    @Test("the largest picture and the default sound are chosen")
    func selection() throws {
        let source = PlanFixture.asset([
            PlanFixture.video { _, traits in traits.width = 320 }, PlanFixture.video(index: 3),
            PlanFixture.audio { track, _ in track.isDefault = false },
            PlanFixture.audio(index: 2) { track, _ in
                (track.isDefault, track.language) = (true, "deu")
            },
        ])
        let plan = try PlanFixture.plan([source])
        #expect(plan.video?.segments.map(\.track) == [3])
        #expect(plan.audio.map(\.language) == ["deu"])
        #expect(plan.audio.map(\.isDefault) == [true])
        let all = try PlanFixture.plan([source]) { $0.audio?.tracks = .all }
        #expect(all.audio.count == 2)
        #expect(all.audio.filter(\.isDefault).count == 1)
    }

    @Test("what is asked for and cannot be had is said")
    func warnsOfWhatHasNoEffect() throws {
        let source = PlanFixture.asset([PlanFixture.video(), PlanFixture.audio()])
        func codes(_ preset: String, _ change: (inout ExportSettings) -> Void) throws -> [String] {
            var settings = ExportSettings()
            change(&settings)
            return try PlanFixture.plan([source], preset: preset, settings: settings)
                .warnings.map(\.code)
        }
        #expect(
            try codes("low") { $0.timeRange = TimeRange(start: 8, end: 11) } == ["rangeShortened"])
        #expect(try codes("low") { $0.timeRange = TimeRange(start: 8, end: 10) } == [])
        #expect(
            try codes("low") { $0.metadata = ["mood": "blue", "title": "x", "x": ""] }
                == ["metadataDropped"])
        #expect(try codes("passthrough") { $0.copy = .never } == ["copyPolicyIgnored"])
        #expect(try codes("low") { $0.copy = .never } == [])
    }

    @Test("protected, unplayable and unsuitable sources are refused with the reason")
    func refusals() {
        let protected = PlanFixture.asset([PlanFixture.video()]) {
            $0.description.protectionReason = "track 0 is encrypted"
        }
        #expect(throws: ExportError.contentIsProtected("clip.mp4", reason: "track 0 is encrypted"))
        {
            try PlanFixture.plan([protected])
        }
        let unplayable = PlanFixture.asset([PlanFixture.video()]) {
            $0.description.notPlayableReason = "nothing in it"
        }
        #expect(throws: ExportError.unsupported("clip.mp4", reason: "nothing in it")) {
            try PlanFixture.plan([unplayable])
        }
        let mute = PlanFixture.asset([PlanFixture.video()])
        #expect(throws: ExportError.self) { try PlanFixture.plan([mute], preset: "m4a") }
        let dolby = PlanFixture.asset([
            PlanFixture.video { _, traits in traits.dolbyVisionProfile = 5 }
        ])
        #expect(throws: ExportError.self) { try PlanFixture.plan([dolby]) }
        let theora = PlanFixture.asset([PlanFixture.video { track, _ in track.codec = "theora" }])
        #expect(throws: ExportError.self) { try PlanFixture.plan([theora], preset: "passthrough") }
    }

    @Test("HDR is tone-mapped with a warning, or kept where the preset keeps it")
    func highRange() throws {
        let source = PlanFixture.asset([
            PlanFixture.video { track, traits in
                track.codec = "hevc"
                (traits.pixelFormat, traits.bitDepth) = ("yuv420p10le", 10)
                traits.color = ColorTags(
                    primaries: "bt2020", transfer: "smpte2084", matrix: "bt2020nc", range: "tv")
            }
        ])
        let mapped = try PlanFixture.plan([source])
        #expect(mapped.warnings.map(\.code) == ["toneMapped"])
        guard case .encode(let sdr) = mapped.video?.mode else {
            Issue.record("HDR was copied")
            return
        }
        #expect(sdr.isToneMapped && sdr.color.transfer == "bt709" && sdr.pixelFormat == "yuv420p")
    }

    @Test("uneven frames keep their own times on a clock fine enough")
    func variable() throws {
        let source = PlanFixture.asset([
            PlanFixture.video { track, traits in
                traits.frameRateMode = .variable
                track.timeBase = Ratio(1, 90_000)
            }
        ])
        let plan = try PlanFixture.plan([source])
        guard case .encode(let encoding) = plan.video?.mode else { return }
        #expect(encoding.timing.timescale == 90_000 && encoding.timing.grid == nil)
        #expect(encoding.timing.constantRate == nil)
        let constant = try PlanFixture.plan([source]) {
            $0.video?.frameRateMode = .constant
        }
        guard case .encode(let even) = constant.video?.mode else { return }
        #expect(even.timing.constantRate == Ratio(25, 1))
    }

    @Test("chapters are cut and moved with the range, metadata added and removed")
    func extras() throws {
        var settings = ExportSettings()
        settings.timeRange = TimeRange(start: 4, duration: 4)
        settings.metadata = ["title": "", "artist": "Someone"]
        let source = PlanFixture.asset([PlanFixture.video()]) {
            $0.description.metadata = ["title": "Old"]
            $0.description.chapters = [
                Chapter(start: 0, end: 3, title: "gone"), Chapter(start: 3, end: 6, title: "first"),
                Chapter(start: 6, end: 10, title: "second"),
            ]
        }
        let plan = try PlanFixture.plan([source], settings: settings)
        #expect(
            plan.chapters == [
                Chapter(start: 0, end: 2, title: "first"),
                Chapter(start: 2, end: 4, title: "second"),
            ])
        #expect(plan.metadata == ["artist": "Someone"])
        settings.stripsMetadata = true
        settings.metadata = [:]
        let bare = try PlanFixture.plan([source], settings: settings)
        #expect(bare.chapters.isEmpty && bare.metadata.isEmpty)
    }

    @Test("the same sources give the same plan")
    func repeatable() throws {
        let source = PlanFixture.asset([PlanFixture.video(), PlanFixture.audio()])
        #expect(try PlanFixture.plan([source]) == PlanFixture.plan([source]))
    }

    @Test(
        "a size limit says whether it or the quality decides, as far as that can be told",
        arguments: [
            (25_000_000, "the preset's quality, about "), (900_000, "at most 900 kB"),
        ] as [(Int64, String)])
    func sizeLimit(limit: Int64, choice: String) throws {
        var settings = ExportSettings()
        settings.fileLengthLimit = limit
        settings.copy = .never
        let source = PlanFixture.asset([PlanFixture.video(), PlanFixture.audio()])
        let plan = try PlanFixture.plan([source], settings: settings)
        let decision = try #require(plan.decisions.first { $0.subject == "size limit" })
        #expect(decision.choice.hasPrefix(choice), "\(decision)")
        #expect(try #require(plan.estimatedBytes) <= limit)
    }

    @Test("what may be copied is, where the limit is far above it")
    func copiesBelowLimit() throws {
        var settings = ExportSettings()
        let source = PlanFixture.asset([PlanFixture.video(), PlanFixture.audio()])
        for (limit, isCopied) in [(2_000_000, true), (1_000_000, false)] as [(Int64, Bool)] {
            settings.fileLengthLimit = limit
            let plan = try PlanFixture.plan([source], preset: "1920x1080", settings: settings)
            #expect((plan.video?.mode == .copy) == isCopied)
        }
    }

    @Test("a mix says by how much it is lowered")
    func saysAttenuation() throws {
        let sound = PlanFixture.audio { _, traits in
            traits.channels = 6
            traits.channelLayout = "5.1"
        }
        let plan = try PlanFixture.plan([PlanFixture.asset([PlanFixture.video(), sound])])
        #expect(
            plan.decisions.map(\.choice).contains(
                "mixed down from 6 to 2 channels, 7.7 dB lower so that nothing clips"))
    }
}
