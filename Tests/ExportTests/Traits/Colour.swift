import TestSupport
import Testing

/// Reads stored samples as colours by the tags that `ffprobe` finds: arithmetic of ITU-R BT.601 and 709.
struct Colour: CustomStringConvertible {
    let red: Double
    let green: Double
    let blue: Double

    var description: String {
        "(\(Int(red.rounded())), \(Int(green.rounded())), \(Int(blue.rounded())))"
    }

    /// The largest difference of a component.
    func distance(to other: Colour) -> Double {
        max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue))
    }

    /// The colour of a place, the mean of a square of 8 samples around it.
    static func at(
        _ x: Int, _ y: Int, _ planes: [Picture], _ stream: ProbedStream
    ) throws -> Colour {
        let wide = planes[0].width / planes[1].width
        let tall = planes[0].height / planes[1].height
        let luma = planes[0].mean(x: x - 4..<x + 4, y: y - 4..<y + 4)
        let across = x / wide - 2..<x / wide + 2
        let down = y / tall - 2..<y / tall + 2
        let scale = stream.pixelFormat?.hasSuffix("10le") == true ? 4.0 : 1
        let blue = planes[1].mean(x: across, y: down), red = planes[2].mean(x: across, y: down)
        return try from(luma / scale, blue / scale, red / scale, stream)
    }

    private static func from(
        _ luma: Double, _ blue: Double, _ red: Double, _ stream: ProbedStream
    ) throws -> Colour {
        let matrix = try #require(stream.colorSpace)
        let (kr, kb) = ["bt709": (0.2126, 0.0722)][matrix] ?? (0.299, 0.114)
        try #require(["bt709", "smpte170m", "bt470bg"].contains(matrix), "\(matrix)")
        let isFull = stream.colorRange == "pc"
        let y = isFull ? luma : (luma - 16) * 255 / 219
        let cb = (blue - 128) * (isFull ? 1 : 255.0 / 224)
        let cr = (red - 128) * (isFull ? 1 : 255.0 / 224)
        let r = y + 2 * (1 - kr) * cr
        let b = y + 2 * (1 - kb) * cb
        let g = (y - kr * r - kb * b) / (1 - kr - kb)
        return Colour(red: clamped(r), green: clamped(g), blue: clamped(b))
    }

    private static func clamped(_ value: Double) -> Double { min(255, max(0, value)) }
}
