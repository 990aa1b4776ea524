import TakeupFFmpeg
import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("What a plan promises of its tracks")
struct TrackPromiseTests {
    /// Ten seconds at 25 pictures a second, with sound of 1,024 samples a packet.
    private static func asset(
        _ change: (inout InspectedAsset) -> Void = { _ in }
    ) -> InspectedAsset {
        PlanFixture.asset([PlanFixture.video(), PlanFixture.audio()]) {
            $0.longestSteps = [
                0: MediaTime(value: 1, timescale: 25), 1: MediaTime(value: 1024, timescale: 48_000),
            ]
            change(&$0)
        }
    }

    /// Pictures of 40 ms and sound of 20 ms, written from one time to another.
    private func written(
        video: (from: Double, to: Double)?, audio: (from: Double, to: Double)?
    ) throws -> [WrittenTrack] {
        try [(StreamKind.video, video, 40), (.audio, audio, 20)].map { kind, span, length in
            var track = WrittenTrack(kind, timeBase: TimeBase(1, 1000))
            guard let span else { return track }
            let packet = try Packet()
            let (first, last) = (Int64(span.from * 1000), Int64(span.to * 1000))
            for ticks in stride(from: first, to: last, by: length) {
                packet.ptsTicks = ticks
                packet.dtsTicks = ticks
                packet.durationTicks = Int64(length)
                _ = track.count(packet)
            }
            return track
        }
    }

    private func fault(
        _ video: (from: Double, to: Double)?, _ audio: (from: Double, to: Double)?,
        range: TimeRange? = nil, preset: String = "1280x720",
        _ change: (inout InspectedAsset) -> Void = { _ in }
    ) throws -> String? {
        var settings = ExportSettings()
        settings.timeRange = range
        let plan = try PlanFixture.plan([Self.asset(change)], preset: preset, settings: settings)
        let tracks = try written(video: video, audio: audio)
        return plan.brokenPromise(tracks, frames: tracks[0].shownPackets)
    }

    @Test("one picture or packet more or less at either end is as promised, two are not")
    func ends() throws {
        #expect(try fault((0, 10), (0, 10)) == nil)
        #expect(try fault((0.04, 9.96), (0.02, 9.98)) == nil)
        #expect(try fault((0.08, 10), (0, 10))?.contains("video") == true)
        #expect(try fault((0, 9.92), (0, 10))?.contains("video") == true)
        #expect(try fault((0, 10), (0.06, 10))?.contains("audio") == true)
        #expect(try fault((0, 10), (0, 9.94))?.contains("audio") == true)
    }

    @Test("a planned track that is not there, or is empty, is missed")
    func missing() throws {
        #expect(try fault((0, 10), nil)?.contains("empty") == true)
        #expect(try fault(nil, (0, 10))?.contains("empty") == true)
        let plan = try PlanFixture.plan([Self.asset()])
        let alone = try written(video: (0, 10), audio: nil).prefix(1)
        #expect(plan.brokenPromise(Array(alone), frames: 250)?.contains("2 tracks") == true)
    }

    @Test("a cut ends where it was asked to, neither sooner nor later")
    func cuts() throws {
        let range = TimeRange(start: 2, duration: 3)
        #expect(try fault((0, 3), (0, 3.02), range: range) == nil)
        #expect(try fault((0, 3.12), (0, 3), range: range)?.contains("video") == true)
        #expect(try fault((0, 3), (0, 3.1), range: range)?.contains("audio") == true)
        #expect(try fault((0, 2.88), (0, 3), range: range)?.contains("video") == true)
        // A whole source may hold more than its container says.
        #expect(try fault((0, 10.4), (0, 10.4)) == nil)
    }

    @Test("a track that begins late begins as late, with its sound filled up from the start")
    func lateTracks() throws {
        let late: (inout InspectedAsset) -> Void = {
            $0.description.tracks[0].startTime = 1
            $0.description.tracks[0].duration = 9
        }
        #expect(try fault((1, 10), (0, 10), late) == nil)
        #expect(try fault((0, 10), (0, 10), late)?.contains("video") == true)
        #expect(try fault((1.2, 10), (0, 10), late)?.contains("video") == true)
        let lateSound: (inout InspectedAsset) -> Void = {
            $0.description.tracks[1].startTime = 1
            $0.description.tracks[1].duration = 9
        }
        #expect(try fault((0, 10), (0, 10), lateSound) == nil)
        #expect(try fault((0, 10), (1.1, 10), lateSound)?.contains("audio") == true)
    }

    @Test("the longest of uneven pictures may be the last, and not the first")
    func unevenPictures() throws {
        let uneven: (inout InspectedAsset) -> Void = {
            $0.longestSteps[0] = 2
            $0.description.tracks[0].video?.frameRateMode = .variable
        }
        #expect(try fault((0, 8.2), (0, 10), uneven) == nil)
        #expect(try fault((0, 7.9), (0, 10), uneven)?.contains("video") == true)
        #expect(try fault((0.2, 10), (0, 10), uneven)?.contains("video") == true)
    }

    @Test("nothing is promised where the source does not tell")
    func unknown() throws {
        #expect(try fault((1, 4), (3, 4)) { $0.longestSteps = [:] } == nil)
        #expect(try fault((1, 4), (3, 4)) { $0.lacksTimestamps = true } == nil)
    }

    @Test("what is hidden before a copied cut and behind it is not shown, and ends it exactly")
    func hiddenPictures() throws {
        var track = WrittenTrack(
            .video, timeBase: TimeBase(1, 1000), cut: CutEnd(hidden: 109, end: 110))
        let packet = try Packet()
        for ticks in [-40, 0, 120, 40, 80] as [Int64] {
            packet.ptsTicks = ticks
            packet.dtsTicks = ticks
            packet.durationTicks = 40
            _ = track.count(packet)
        }
        #expect(track.packets == 5 && track.shownPackets == 3)
        #expect(track.firstShown == 0 && track.lastShown == MediaTime(value: 80, timescale: 1000))
        #expect(track.end == MediaTime(value: 110, timescale: 1000))
        #expect(track.shortenedEnd == track.end)
    }

    @Test("a step as long as a time can be does not overflow")
    func longStep() throws {
        let fault = try fault((0, 10), (0, 10)) {
            $0.longestSteps[1] = MediaTime(value: .max - 1, timescale: 1)
            ($0.statedFrames, $0.expectedPackets[1]) = (2, 3)
        }
        #expect(fault == nil)
    }
}
