import TakeupExport
import TestSupport
import Testing

@Suite("Trait 2: variable frame rate", .tags(.media))
struct Trait02VariableRateTests {
    private static let select = "select='not(mod(n\\,7))+lt(mod(n\\,11)\\,6)'"

    @Test("every frame keeps its time to the tick", arguments: ["vfr.mp4", "vfr.mkv", "vfr.mov"])
    func keepsTimes(_ name: String) async throws {
        let clip = try Self.clip(name)
        let made = try await TraitExport(clip, try .hasty("640x480"))
        try made.expectSound()
        let source = try Times.seconds(clip.path)
        let output = try Times.seconds(made.path)
        #expect(source.count == output.count && source.count > 30)
        #expect(Set(zip(source, source.dropFirst()).map { Int(($1 - $0) * 1000) }).count > 1)
        let probed = try #require(try MediaTools.probe(clip.path).streams("video").first)
        let tick = max(try Self.tick(made.video().timeBase), try Self.tick(probed.timeBase))
        for (before, after) in zip(source, output) {
            #expect(abs(before - source[0] - after) <= tick + 1e-6)
        }
        #expect(made.report.frames == source.count)
    }

    @Test("a constant rate that is asked for has equal steps and the arithmetic's count")
    func makesConstant() async throws {
        let clip = try Self.clip("vfr.mp4")
        var preset = try ExportPreset.hasty("640x480")
        preset.video?.frameRateMode = .constant
        preset.video?.frameRate = FrameRateValue("30")
        let made = try await TraitExport(clip, preset)
        try made.expectSound()
        let ticks = try Times.ticks(made.path)
        #expect(Set(zip(ticks, ticks.dropFirst()).map { $1 - $0 }).count == 1)
        let source = try #require(try MediaTools.probe(clip.path).streams("video").first)
        let wanted = Int((try #require(source.duration) * 30).rounded())
        #expect(abs(ticks.count - wanted) <= 1)
        #expect(made.report.frames == ticks.count)
    }

    @Test("a highest rate drops what exceeds it and repeats nothing")
    func capsRate() async throws {
        let clip = try Self.clip("vfr.mp4")
        var preset = try ExportPreset.hasty("640x480")
        preset.video?.maxFrameRate = 15
        let made = try await TraitExport(clip, preset)
        let output = try Times.seconds(made.path)
        let source = Set(try Times.seconds(clip.path).map { Int(($0 * 1000).rounded()) })
        #expect(output.allSatisfy { source.contains(Int(($0 * 1000).rounded())) })
        #expect(zip(output, output.dropFirst()).allSatisfy { $1 - $0 > 0.9 / 15 })
        #expect(output.count > 15)
    }

    private static func tick(_ timeBase: String) throws -> Double {
        let parts = timeBase.split(separator: "/").compactMap { Double($0) }
        try #require(parts.count == 2)
        return parts[0] / parts[1]
    }

    private static func clip(_ name: String) throws -> Clip {
        try Clip.make(
            name,
            Clip.picture(size: "160x120", seconds: 2) + [
                "-vf", select, "-vsync", "vfr", "-c:v", "libx264", "-preset", "veryfast",
                "-bf", "3",
            ])
    }
}
