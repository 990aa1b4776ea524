import Foundation
import TestSupport
import Testing

/// One decoded picture: a plane of samples.
struct Picture {
    let width: Int
    let height: Int
    /// Row by row.
    let samples: [Double]

    init(width: Int, height: Int, samples: [Double]) {
        (self.width, self.height, self.samples) = (width, height, samples)
    }

    /// The upper left part of a picture.
    init(_ whole: Picture, width: Int, height: Int) {
        let samples = (0..<height).flatMap { row in
            whole.samples[row * whole.width..<row * whole.width + width]
        }
        self.init(width: width, height: height, samples: samples)
    }

    subscript(x: Int, y: Int) -> Double { samples[y * width + x] }

    /// The mean absolute difference from another picture of this size.
    func distance(to other: Picture) -> Double {
        let sum = zip(samples, other.samples).reduce(0) { $0 + abs($1.0 - $1.1) }
        return sum / Double(samples.count)
    }

    /// The mean of a rectangle.
    func mean(x: Range<Int>, y: Range<Int>) -> Double {
        let sum = y.reduce(0.0) { sum, row in x.reduce(sum) { $0 + self[$1, row] } }
        return sum / Double(x.count * y.count)
    }

    /// The stored luma of every picture, untouched by any conversion.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - seconds: Where to begin.
    /// - Returns: Pictures in order of presentation.
    /// - Throws: `ToolFailure` when it cannot be decoded.
    static func luma(_ path: String, from seconds: Double = 0) throws -> [Picture] {
        try planes(path, output: seconds > 0 ? ["-ss", "\(seconds)"] : []).map { $0[0] }
    }

    /// The stored planes of every picture (Y, U, V), without rotation or conversion.
    static func planes(
        _ path: String, decoder: [String] = [], output: [String] = []
    ) throws -> [[Picture]] {
        let video = try #require(try MediaTools.probe(path).streams("video").first)
        let width = try #require(video.width), height = try #require(video.height)
        let name = try #require(video.pixelFormat)
        let isDeep = name.hasSuffix("10le")
        let isFull = name.contains("444")
        let across = isFull ? width : (width + 1) / 2
        let down = isFull || name.contains("422") ? height : (height + 1) / 2
        let bytes = try raw(
            ["-noautorotate"] + decoder + ["-i", path] + output, format: name)
        let sizes = [(width, height), (across, down), (across, down)]
        let step = isDeep ? 2 : 1
        let total = sizes.reduce(0) { $0 + $1.0 * $1.1 } * step
        return stride(from: 0, to: bytes.count - total + 1, by: total).map { start in
            var place = start
            return sizes.map { size in
                let count = size.0 * size.1
                let samples = (0..<count).map { index in
                    isDeep
                        ? Double(
                            UInt16(bytes[place + 2 * index])
                                | UInt16(bytes[place + 2 * index + 1]) << 8)
                        : Double(bytes[place + index])
                }
                place += count * step
                return Picture(width: size.0, height: size.1, samples: samples)
            }
        }
    }

    private static func raw(_ arguments: [String], format: String) throws -> [UInt8] {
        let output = ["-map", "0:v:0", "-vsync", "passthrough", "-pix_fmt", format]
        let outcome = try Subprocess.run(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + arguments + output + ["-f", "rawvideo", "-"],
            timeoutSeconds: 300)
        return [UInt8](try outcome.requireSuccess().standardOutput)
    }
}
