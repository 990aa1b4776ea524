import TakeupFFmpeg
import TakeupLanes
import TakeupTimeline
import TestSupport
import Testing

@testable import TakeupExport

@Suite("PacketPlacer", .tags(.media))
struct PacketPlacerTests {
    @Test("few packets wait behind the end of a cut, whatever their times are")
    func bounded() throws {
        let packet = try Self.keyframe()
        var placer = Self.placer()
        #expect(Self.place(packet, &placer, pts: 0, dts: 0) == .write)
        for _ in 0..<PacketPlacer.mostWaiting {
            #expect(Self.place(packet, &placer, pts: 5_000, dts: 10) == .wait)
        }
        #expect(Self.place(packet, &placer, pts: 5_000, dts: 10) == .past)
    }

    @Test("packets that wait are decoded before the one that they wait for")
    func ordered() throws {
        let packet = try Self.keyframe()
        var placer = Self.placer()
        var decoded: [Int64?] = []
        for pts: Int64 in [0, 1_040, 1_120, 1_080, 960] {
            _ = Self.place(packet, &placer, pts: pts, dts: pts == 0 ? 0 : 40)
            decoded.append(packet.dtsTicks)
        }
        #expect(decoded == [0, 40, 41, 42, 43] && packet.ptsTicks == 960)
    }

    @Test("every picture that is written gives others room to wait")
    func renewed() throws {
        let packet = try Self.keyframe()
        var placer = Self.placer()
        for place in 0..<Int64(100) {
            let isBehind = place % 3 > 0
            let placed = Self.place(
                packet, &placer, pts: isBehind ? 2_000 + place : place, dts: place)
            #expect(placed == (isBehind ? .wait : .write))
        }
    }

    /// A cut of one second, counted in milliseconds.
    private static func placer() -> PacketPlacer {
        let segment = PlanFixture.segment(duration: 1, isWhole: false)
        return PacketPlacer(segment, timeBase: TimeBase(1, 1000), isVideo: true)
    }

    private static func place(
        _ packet: borrowing Packet, _ placer: inout PacketPlacer, pts: Int64, dts: Int64
    ) -> PacketPlacer.Placement {
        (packet.ptsTicks, packet.dtsTicks, packet.durationTicks) = (pts, dts, 40)
        return placer.place(packet)
    }

    private static func keyframe() throws -> Packet {
        let clip = try Clip.make(
            "key.mp4", Clip.picture(size: "64x64", seconds: 0.1) + ["-c:v", "libx264"])
        let demuxer = try Asset(path: clip.path).open().demuxer(Cancellation())
        let packet = try Packet()
        #expect(try demuxer.read(into: packet))
        return packet
    }
}
