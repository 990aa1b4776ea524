import Foundation
import TestSupport

/// Pictures that show their own number as eight bars, black or white, which any encoder keeps.
enum NumberedPictures {
    /// One picture as it is shown.
    struct Shown: Equatable {
        /// In seconds.
        let time: Double
        let number: Int
    }

    /// Input arguments for FFmpeg: pictures numbered from `first` on, modulo 256.
    static func source(
        size: String = "160x96", rate: String = "30", seconds: Double, first: Int = 0
    ) -> [String] {
        let bar = "floor(X*8/W)"
        let luma = "16+219*mod(floor(mod(N+\(first),256)/pow(2,\(bar))),2)"
        return [
            "-f", "lavfi", "-i",
            "nullsrc=size=\(size):rate=\(rate):duration=\(seconds),format=yuv420p,"
                + "geq=lum='\(luma)':cb=128:cr=128",
        ]
    }

    /// The numbers of all pictures that FFmpeg decodes, in order.
    static func numbers(in path: String, before: [String] = []) throws(ToolFailure) -> [Int] {
        let arguments =
            ["-nostdin", "-v", "error"] + before + [
                "-i", path, "-map", "0:v:0", "-vsync", "passthrough",
                "-vf", "scale=8:1:flags=area,format=gray", "-f", "rawvideo", "-",
            ]
        let bytes = try Subprocess.run("ffmpeg", arguments).requireSuccess().standardOutput
        return stride(from: 0, to: bytes.count - 7, by: 8).map { start in
            (0..<8).reduce(0) { $0 + (bytes[bytes.startIndex + start + $1] > 127 ? 1 << $1 : 0) }
        }
    }

    /// The pictures with the times at which a player shows them.
    static func shown(in path: String) throws -> [Shown] {
        let times = try MediaTools.packets(path, stream: "v:0")
            .filter { !$0.isDiscarded }.compactMap { $0.pts ?? $0.dts }.sorted()
        let numbers = try numbers(in: path)
        guard times.count == numbers.count else { return [] }
        return zip(times, numbers).map { Shown(time: $0, number: $1) }
    }

    /// The number that is on the screen at a time.
    static func number(at time: Double, of shown: [Shown]) -> Int? {
        shown.last { $0.time <= time }?.number
    }
}
