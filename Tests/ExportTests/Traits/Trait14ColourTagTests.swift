import TakeupExport
import TestSupport
import Testing

@Suite("Trait 14: range, matrix and tags", .tags(.media))
struct Trait14ColourTagTests {
    /// The bars' colours: saturated and half saturated, dark and light.
    static let bars: [(Int, Int, Int)] = [
        (235, 235, 235), (191, 191, 0), (0, 191, 191), (0, 191, 0), (191, 0, 191), (191, 0, 0),
        (0, 0, 191), (60, 90, 120),
    ]

    static let tagged = ["tv", "pc"].flatMap { range in
        ["bt709", "smpte170m", "bt470bg"].map { (range, $0) }
    }

    @Test("bars keep their colours to 2 of 255, all four tags said", arguments: tagged)
    func keepsColours(_ range: String, _ matrix: String) async throws {
        let clip = try Self.clip("\(range).mp4", range: range, matrix: matrix, tags: true)
        let made = try await TraitExport(clip, try .hasty("highest", crf: 1))
        try made.expectSound()
        let source = try #require(try MediaTools.probe(clip.path).streams("video").first)
        let output = try made.video()
        #expect(source.colorRange == range && source.colorSpace == matrix)
        #expect(output.colorRange == "tv" && output.colorSpace == matrix)
        try Self.compare(clip, source, made)
    }

    @Test("sizes that were never tagged are guessed as players do", arguments: ["sd", "hd"])
    func guessesTags(_ kind: String) async throws {
        let (size, matrix) = kind == "sd" ? ("320x240", "smpte170m") : ("1280x720", "bt709")
        let clip = try Self.clip(
            "\(kind).mp4", range: "tv", matrix: matrix, tags: false, size: size)
        let source = try #require(try MediaTools.probe(clip.path).streams("video").first)
        try #require(source.colorSpace == nil)
        let made = try await TraitExport(clip, try .hasty("highest", crf: 1))
        try made.expectSound()
        #expect(try made.video().colorSpace == matrix)
        let planes = try Picture.lastPlanes(made.path)
        let step = planes[0].width / Self.bars.count
        for (place, bar) in Self.bars.enumerated() {
            let found = try Colour.at(place * step + step / 2, 60, planes, made.video())
            #expect(found.distance(to: Colour(bar)) <= 3, "bar \(place): \(found)")
        }
    }

    @Test("RGB becomes tagged BT.709 of the same colours")
    func convertsRGB() async throws {
        let clip = try Clip.make("rgb.mov", Self.source("320x240") + ["-c:v", "qtrle"])
        let made = try await TraitExport(clip, try .hasty("highest", crf: 1))
        try made.expectSound()
        #expect(try made.video().colorSpace == "bt709")
        let planes = try Picture.lastPlanes(made.path)
        for (place, bar) in Self.bars.enumerated() {
            let found = try Colour.at(place * 40 + 20, 60, planes, made.video())
            #expect(found.distance(to: Colour(bar)) <= 2, "bar \(place): \(found)")
        }
    }

    private static func compare(
        _ clip: Clip, _ source: ProbedStream, _ made: TraitExport
    ) throws {
        let before = try Picture.lastPlanes(clip.path)
        let after = try Picture.lastPlanes(made.path)
        for (place, bar) in bars.enumerated() {
            let wanted = try Colour.at(place * 40 + 20, 60, before, source)
            let found = try Colour.at(place * 40 + 20, 60, after, made.video())
            #expect(found.distance(to: wanted) <= 2, "bar \(place): \(wanted) became \(found)")
            #expect(found.distance(to: Colour(bar)) <= 4, "bar \(place): \(found)")
        }
    }

    private static func source(_ size: String) -> [String] {
        let channels = [\(Int, Int, Int).0, \(Int, Int, Int).1, \(Int, Int, Int).2].map { channel in
            bars.enumerated().map {
                "\($0.element[keyPath: channel])*eq(floor(X*8/W)\\,\($0.offset))"
            }
            .joined(separator: "+")
        }
        let picture = "nullsrc=size=\(size):rate=25:duration=0.2,format=rgb24"
        return [
            "-f", "lavfi", "-i",
            "\(picture),geq=r='\(channels[0])':g='\(channels[1])':b='\(channels[2])'",
        ]
    }

    private static func clip(
        _ name: String, range: String, matrix: String, tags: Bool, size: String = "320x240"
    ) throws -> Clip {
        let convert =
            "zscale=matrix=\(matrix):range=\(range == "pc" ? "full" : "limited")"
            + ":primariesin=bt709:transferin=bt709:primaries=bt709:transfer=bt709,format=yuv444p"
        let said = ["-color_range", range, "-colorspace", matrix, "-color_primaries", matrix]
        let trc = ["-color_trc", matrix == "bt709" ? "bt709" : "smpte170m"]
        let untagged = [
            "-bsf:v",
            "h264_metadata=video_full_range_flag=0:matrix_coefficients=2:colour_primaries=2:transfer_characteristics=2",
            "-write_tmcd", "0", "-movflags", "-write_colr",
        ]
        return try Clip.make(
            name,
            source(size) + ["-vf", convert, "-c:v", "libx264", "-qp", "1"]
                + (tags ? said + trc : untagged))
    }
}

extension Colour {
    init(_ bar: (Int, Int, Int)) {
        self.init(red: Double(bar.0), green: Double(bar.1), blue: Double(bar.2))
    }
}
