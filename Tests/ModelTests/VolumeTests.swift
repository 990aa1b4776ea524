import Foundation
import TakeupTimeline
import TestSupport
import Testing

@testable import TakeupModel

@Suite("Volumes of tracks")
struct VolumeTests {
    private func seconds(_ value: Double) -> MediaTime { MediaTime(seconds: value) }

    private func ramp(
        _ start: Double, _ duration: Double, _ from: Double, _ to: Double
    ) -> Volume.Ramp {
        Volume.Ramp(start: seconds(start), duration: seconds(duration), from: from, to: to)
    }

    @Test("a ramp is even, jumps at its start, and its last factor is held, as AVFoundation says")
    func curve() {
        // The example of AVAudioMixInputParameters.
        let volume = Volume(1, ramps: [ramp(4, 5, 0.5, 0.2)])
        let wanted = [(0, 1), (3.999, 1), (4, 0.5), (6.5, 0.35), (9, 0.2), (100, 0.2)]
        for (time, level) in wanted {
            #expect(abs(volume.level(at: seconds(time)) - level) < 1e-9, "\(time)")
        }
        let later = volume.counted(from: seconds(5))
        #expect(abs(later.level(at: seconds(1.5)) - 0.35) < 1e-9)
        #expect(Volume().isFull && Volume(1, ramps: [ramp(1, 1, 1, 1)]).isFull)
        #expect(!volume.isFull && !Volume(0.5).isFull)
    }

    private func fault(_ volume: Volume?, _ media: Composition.Media = .audio) -> String? {
        let segment = Composition.Segment(source: "a")
        return Composition(tracks: [
            .init(.all, ["p"]), .init(media, segments: [segment], volume: volume),
        ]).fault
    }

    @Test("a fault names the track and the ramp")
    func faults() {
        #expect(fault(nil) == nil && fault(Volume(0)) == nil && fault(Volume(10)) == nil)
        for level in [-0.1, 10.1, .infinity, .nan] {
            #expect(fault(Volume(level))?.hasPrefix("track 2 has a volume of") == true)
            #expect(fault(Volume(ramps: [ramp(0, 1, level, 1)]))?.contains("ramp 1") == true)
            #expect(fault(Volume(ramps: [ramp(0, 1, 1, level)]))?.contains("ramp 1") == true)
        }
        let touching = [ramp(0, 1, 0, 1), ramp(1, 2, 1, 0)]
        #expect(fault(Volume(ramps: touching)) == nil)
        #expect(
            fault(Volume(ramps: [ramp(0, 1.5, 0, 1), ramp(1, 2, 1, 0)]))
                == "track 2 has a ramp 2 that begins before the one before it ends")
        #expect(fault(Volume(ramps: [ramp(-1, 1, 0, 1)]))?.contains("before 0") == true)
        #expect(fault(Volume(ramps: [ramp(1, 0, 0, 1)]))?.contains("lasts no time") == true)
    }

    @Test("every track may have pictures and has a source")
    func tracks() {
        #expect(fault(nil, .video) == nil && fault(nil, .all) == nil)
        let silent = Composition.Track(.audio, segments: [.empty(seconds(1))])
        #expect(
            Composition(tracks: [.init(.all, ["a"]), silent]).fault == "track 2 has no sources")
        let loud = Composition.Track(.video, segments: [.init(source: "a")], volume: Volume(0.5))
        #expect(Composition(tracks: [loud]).fault == "track 1 has a volume, but no sound")
        for first in Composition.Media.allCases {
            #expect(Composition(tracks: [.init(first, ["a"])]).fault == nil)
            #expect(
                Composition(tracks: [.init(first, ["a"]), .init(.audio, ["b", "c"])]).fault == nil)
        }
        let many = Composition(tracks: (0..<33).map { _ in .init(.audio, ["a"]) })
        #expect(many.fault?.contains("at most 32") == true)
    }

    @Test(
        "volumes, ramps, offsets and borders between tracks are parts of a key; earlier keys stay")
    func keys() {
        let (a, b) = (Composition.Segment(source: "a"), Composition.Segment(source: "b"))
        func two(_ first: [Composition.Segment], _ second: [Composition.Segment]) -> Composition {
            Composition(tracks: [.init(.all, segments: first), .init(.audio, segments: second)])
        }
        func loud(_ volume: Volume?) -> Composition {
            Composition(tracks: [.init(.all, ["a"]), .init(.audio, segments: [b], volume: volume)])
        }
        let all = [
            two([a], [b, b]), two([a, b], [b]), two([a], [.empty(seconds(1)), b, b]),
            two([a], [.empty(seconds(2)), b, b]), loud(nil), loud(Volume(0.5)), loud(Volume(0.25)),
            loud(Volume(0.5, ramps: [ramp(0, 1, 0, 1)])),
            loud(Volume(0.5, ramps: [ramp(0, 2, 0, 1)])),
            loud(Volume(0.5, ramps: [ramp(1, 1, 0, 1)])),
            loud(Volume(0.5, ramps: [ramp(0, 1, 0, 0.5)])),
            Composition(tracks: [.init(.video, ["a"])]),
            Composition(tracks: [.init(.audio, ["a"])]),
            Composition(tracks: [.init(.video, ["a"]), .init(.audio, ["b", "b"])]),
            Composition(tracks: [.init(.all, segments: [a], volume: Volume(0.5))]),
        ]
        let keys = all.map(\.parts)
        #expect(!keys.contains(nil) && Set(keys).count == all.count)
        #expect(Composition(video: "a", audio: "b").parts == nil)
        #expect(Composition(joining: ["a", "b"]).parts == nil)
    }

    @Test("a stored track without a volume is read, and one without is stored as before")
    func stored() throws {
        let old = #"{"tracks":[{"media":"audio","segments":[{"source":"a"}]}]}"#
        let read = try JSONDecoder().decode(Composition.self, from: Data(old.utf8))
        #expect(read.tracks[0].volume == nil)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(read), as: UTF8.self) == old)
        var loud = read
        loud.tracks[0].volume = Volume(0.1, ramps: [ramp(1, 2, 0.3, 0.7)])
        let again = try JSONDecoder().decode(Composition.self, from: encoder.encode(loud))
        #expect(again == loud && again.parts == loud.parts)
    }

    @Test("random ramps without a fault stay between their factors and are continuous within")
    func random() {
        var random = SeededRandom(state: 7)
        for _ in 0..<200 {
            var (ramps, time): ([Volume.Ramp], Double) = ([], 0)
            for _ in 0..<random.below(5) {
                time += random.share() * 2
                let duration = 0.01 + random.share()
                ramps.append(ramp(time, duration, random.share() * 10, random.share() * 10))
                time += duration
            }
            let volume = Volume(random.share(), ramps: ramps)
            #expect(volume.fault == nil)
            let levels = [volume.level] + ramps.flatMap { [$0.from, $0.to] }
            for _ in 0..<20 {
                let level = volume.level(at: seconds(random.share() * (time + 1)))
                #expect(level >= (levels.min() ?? 0) - 1e-9 && level <= (levels.max() ?? 0) + 1e-9)
            }
            for ramp in ramps {
                #expect(abs(volume.level(at: ramp.start) - ramp.from) < 1e-9)
                let middle = volume.level(
                    at: ramp.start + ramp.duration.scaled(by: seconds(1), over: seconds(2)))
                #expect(abs(middle - (ramp.from + ramp.to) / 2) < 1e-6)
            }
            // Overlaps are always found.
            if ramps.count > 1 {
                var wrong = volume
                wrong.ramps[1].start = wrong.ramps[0].end - MediaTime(value: 1, timescale: 90_000)
                #expect(wrong.fault != nil)
            }
        }
    }
}
