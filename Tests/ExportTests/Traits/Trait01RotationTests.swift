import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Trait 1: rotated and mirrored pictures", .tags(.media))
struct Trait01RotationTests {
    /// a, b, c, d and the moves along x and y of a display matrix, in whole pixels.
    struct Matrix: CustomTestStringConvertible, Sendable {
        let a, b, c, d, x, y: Int
        var testDescription: String { "(\(a) \(b) \(c) \(d)) + (\(x), \(y))" }
        var swapsAxes: Bool { a == 0 }

        /// Where a place given from -1 to 1 goes, by ISO/IEC 14496-12 §8.3.2.
        func maps(_ u: Int, _ v: Int) -> (Int, Int) { (a * u + c * v, b * u + d * v) }
    }

    static let matrices = [
        Matrix(a: 1, b: 0, c: 0, d: 1, x: 0, y: 0),
        Matrix(a: 0, b: 1, c: -1, d: 0, x: 64, y: 0),
        Matrix(a: -1, b: 0, c: 0, d: -1, x: 96, y: 64),
        Matrix(a: 0, b: -1, c: 1, d: 0, x: 0, y: 96),
        Matrix(a: -1, b: 0, c: 0, d: 1, x: 96, y: 0),
        Matrix(a: 1, b: 0, c: 0, d: -1, x: 0, y: 64),
        Matrix(a: 0, b: 1, c: 1, d: 0, x: 0, y: 0),
        Matrix(a: 0, b: -1, c: -1, d: 0, x: 64, y: 96),
        // Some phones leave the moves out, or write odd ones.
        Matrix(a: 0, b: 1, c: -1, d: 0, x: 0, y: 0),
        Matrix(a: -1, b: 0, c: 0, d: -1, x: 1080, y: -3),
    ]

    /// Luma of the four quarters: no two turns or flips of it are alike.
    static let quarters = [-1: [-1: 40.0, 1: 90.0], 1: [-1: 150.0, 1: 210.0]]

    @Test("all eight, and odd moves, are drawn upright and untagged", arguments: matrices)
    func drawsUpright(_ matrix: Matrix) async throws {
        let clip = try Self.clip(matrix)
        let made = try await TraitExport(clip, try .hasty("highest", crf: 10))
        try made.expectSound()
        let video = try made.video()
        #expect(video.width == (matrix.swapsAxes ? 64 : 96))
        #expect(video.height == (matrix.swapsAxes ? 96 : 64))
        let facts = try MediaTools.mediaInfo(made.path).first { $0.type == "Video" }
        #expect(["0.000", nil].contains(facts?["Rotation"]))
        let picture = try #require(try Picture.luma(made.path).last)
        for u in [-1, 1] {
            for v in [-1, 1] {
                let (x, y) = matrix.maps(u, v)
                let left = picture.width * (2 + x) / 4, top = picture.height * (2 + y) / 4
                let found = picture.mean(x: left - 4..<left + 4, y: top - 4..<top + 4)
                let wanted = try #require(Self.quarters[v]?[u])
                #expect(abs(found - wanted) <= 3, "quarter \(u), \(v)")
            }
        }
        #expect(try MediaTools.frameCount(made.path) == 8)
    }

    @Test("what `ffmpeg` turns upright by itself looks the same", arguments: [1, 2, 3])
    func agreesWithFFmpeg(_ place: Int) async throws {
        let clip = try Self.clip(Self.matrices[place])
        let made = try await TraitExport(clip, try .hasty("highest", crf: 5))
        let turned = try TemporaryDirectory()
        let reference = turned.file("reference.mp4")
        _ = try Subprocess.run(
            "ffmpeg", ["-v", "error", "-i", clip.path, "-qp", "0", reference]
        ).requireSuccess()
        let ours = try #require(try Picture.luma(made.path).first)
        let theirs = try #require(try Picture.luma(reference).first)
        #expect(ours.width == theirs.width && ours.distance(to: theirs) < 1)
    }

    @Test("passthrough keeps the matrix", arguments: [1, 3, 4])
    func passthroughKeepsMatrix(_ place: Int) async throws {
        let clip = try Self.clip(Self.matrices[place])
        let made = try await TraitExport(clip, try .named("passthrough"), copy: .auto)
        let source = try #require(try MediaTools.probe(clip.path).streams("video").first)
        let copied = try made.video()
        // The moves are the writer's to choose; the turn is not.
        func turn(_ stream: ProbedStream) throws -> [String] {
            let rows = try #require(stream.sideData("Display Matrix")?["displaymatrix"])
            let numbers = rows.split(whereSeparator: \.isWhitespace).map(String.init)
            return numbers.filter { !$0.hasSuffix(":") }.prefix(6).map { $0 }
        }
        #expect(try turn(copied) == turn(source))
        #expect(copied.rotation == source.rotation && copied.codec == "h264")
    }

    private static func clip(_ matrix: Matrix) throws -> Clip {
        let grey = [40, 90, 150, 210].map { luma in
            "nullsrc=s=48x32:r=25:d=0.32,format=yuv420p,geq=lum=\(luma):cb=128:cr=128"
        }
        let inputs = grey.flatMap { ["-f", "lavfi", "-i", $0] }
        let stack = "[0][1]hstack[t];[2][3]hstack[b];[t][b]vstack"
        let plain = try Clip.make(
            "quarters.mp4", inputs + ["-filter_complex", stack, "-c:v", "libx264", "-qp", "4"])
        let recipe = "matrix \(matrix.testDescription)"
        return try plain.edited("turned.mp4", recipe: recipe) { bytes in
            guard let box = bytes.range(of: Data("tkhd".utf8)) else { return }
            // Version 0: 4 bytes of version and flags, 20 of times and numbers, 16 of others.
            let start = box.upperBound + 40
            let one = 65536
            let numbers = [
                matrix.a * one, matrix.b * one, 0, matrix.c * one, matrix.d * one, 0,
                matrix.x * one, matrix.y * one, 1 << 30,
            ]
            for (index, number) in numbers.enumerated() {
                let bits = UInt32(bitPattern: Int32(number))
                for byte in 0..<4 {
                    let value = UInt8(truncatingIfNeeded: bits >> UInt32(24 - 8 * byte))
                    bytes[start + 4 * index + byte] = value
                }
            }
        }
    }
}
