import Foundation
import TestSupport
import Testing

/// One decoded picture: a plane of samples of one or two bytes.
struct Picture {
    let width: Int
    let height: Int
    /// Row by row, from the upper left.
    let samples: [UInt16]

    init(width: Int, height: Int, samples: [UInt16]) {
        (self.width, self.height, self.samples) = (width, height, samples)
    }

    /// The upper left part of a picture.
    init(_ whole: Picture, width: Int, height: Int) {
        var samples: [UInt16] = []
        for row in 0..<height {
            samples += whole.samples[row * whole.width..<row * whole.width + width]
        }
        self.init(width: width, height: height, samples: samples)
    }

    subscript(x: Int, y: Int) -> Double { Double(samples[y * width + x]) }

    /// The mean absolute difference from another picture of this size.
    func distance(to other: Picture) -> Double {
        var sum = 0
        samples.withUnsafeBufferPointer { own in
            other.samples.withUnsafeBufferPointer { theirs in
                for index in 0..<min(own.count, theirs.count) {
                    sum += abs(Int(own[index]) - Int(theirs[index]))
                }
            }
        }
        return Double(sum) / Double(samples.count)
    }

    /// The mean of a rectangle.
    func mean(x: Range<Int>, y: Range<Int>) -> Double {
        var sum = 0
        for row in y {
            for place in x { sum += Int(samples[row * width + place]) }
        }
        return Double(sum) / Double(x.count * y.count)
    }

    /// The stored luma of every picture, untouched by any conversion.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - seconds: Where to begin.
    /// - Returns: Pictures in order of presentation.
    /// - Throws: `ToolFailure` when it cannot be decoded.
    static func luma(_ path: String, from seconds: Double = 0) throws -> [Picture] {
        let cut = seconds > 0 ? ["-ss", "\(seconds)"] : []
        return try plane("y", path, output: cut)
    }

    /// The stored planes (Y, U, V) of the last picture, without rotation or conversion.
    static func lastPlanes(_ path: String) throws -> [Picture] {
        try ["y", "u", "v"].map { name in try #require(try plane(name, path).last) }
    }

    private static func plane(
        _ name: String, _ path: String, output: [String] = []
    ) throws -> [Picture] {
        let video = try #require(try MediaTools.probe(path).streams("video").first)
        var width = try #require(video.width), height = try #require(video.height)
        let format = try #require(video.pixelFormat)
        if name != "y", !format.contains("444") {
            width = (width + 1) / 2
            if !format.contains("422") { height = (height + 1) / 2 }
        }
        let outcome = try Subprocess.run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-noautorotate", "-i", path] + output + [
                "-map", "0:v:0", "-vf", "extractplanes=\(name)", "-vsync", "passthrough", "-f",
                "rawvideo", "-",
            ], timeoutSeconds: 300)
        let bytes = try outcome.requireSuccess().standardOutput
        let depth = format.hasSuffix("10le") ? 2 : 1
        let size = width * height * depth
        try #require(bytes.count % size == 0 && !bytes.isEmpty, "\(format) \(name) of \(path)")
        return (0..<bytes.count / size).map { place in
            let part = bytes[
                bytes.startIndex + place * size..<bytes.startIndex + (place + 1) * size]
            return Picture(width: width, height: height, samples: widened(part, depth: depth))
        }
    }

    private static func widened(_ bytes: Data, depth: Int) -> [UInt16] {
        let count = bytes.count / depth
        return bytes.withUnsafeBytes { raw in
            [UInt16](unsafeUninitializedCapacity: count) { target, filled in
                for index in 0..<count {
                    let low = UInt16(raw[index * depth])
                    target[index] = depth == 1 ? low : low | UInt16(raw[index * 2 + 1]) << 8
                }
                filled = count
            }
        }
    }
}
