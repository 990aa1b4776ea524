import Foundation
import TakeupFetch
import TakeupLanes
import TestSupport

/// Times a hundred cold readers of one source with and without a slow one among them, and prints one JSON line.
///
/// Every run has an empty store and the tests' own origin on loopback; a wrong byte ends it.
@main
struct FetchBenchmark {
    private static let length: Int64 = 50_000_000
    private static let readers = 99
    /// How much longer the others may take beside a slow one.
    private static let target = 1.1
    private static let content = OriginContent.synthetic(length: length)

    static func main() throws {
        let runs = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5
        let expected = try content.read(0..<length)
        var (alone, besideSlow): ([Double], [Double]) = ([], [])
        // The first of each warms up.
        for _ in 0...runs {
            alone.append(try run(expected, besideSlow: false))
            besideSlow.append(try run(expected, besideSlow: true))
        }
        report(median(alone), median(besideSlow), runs: runs)
    }

    private static func median(_ seconds: [Double]) -> Double {
        let sorted = seconds.dropFirst().sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    private static func report(_ alone: Double, _ besideSlow: Double, runs: Int) {
        let ratio = besideSlow / alone
        let figures = [alone, besideSlow, ratio].map { String(format: "%.3f", $0) }
        print(
            #"{"benchmark":"slow-reader","runs":\#(runs),"readers":\#(readers),"bytes":\#(length),"#
                + #""alone_s":\#(figures[0]),"beside_slow_s":\#(figures[1]),"ratio":\#(figures[2]),"#
                + #""target":\#(target),"met":\#(ratio <= target)}"#)
    }

    /// - Returns: Seconds until all readers but the slow one have everything.
    private static func run(_ expected: [UInt8], besideSlow: Bool) throws -> Double {
        let folder = try TemporaryDirectory()
        let origin = try TestOrigin()
        defer { origin.stop() }
        origin.serve("/a.mp4", OriginObject(content))
        let loader = try library(folder.file("sources")).loader(for: origin.url("/a.mp4"))
        let (areDone, slow) = (Cancellation(), LaneGroup())
        if besideSlow {
            slow.start("slow") { crawl(loader.reader(), until: areDone) }
        }
        let right = Locked(0)
        let seconds = ContinuousClock().measure {
            let group = LaneGroup()
            for _ in 0..<readers {
                group.start("reader") {
                    if gives(loader.reader(), expected) { right.withLock { $0 += 1 } }
                }
            }
            group.wait()
        }
        areDone.cancel()
        slow.wait()
        try require(right.withLock { $0 } == readers, "wrong bytes")
        let served = Double(origin.bytesServed("/a.mp4"))
        try require(served <= 1.01 * Double(length), "\(served) bytes came for \(length)")
        try require(origin.totals.peakRequests == 1, "more than one request at a time")
        return seconds / .seconds(1)
    }

    private static func library(_ path: String) throws -> SourceLibrary {
        let networks = ["127.0.0.0/8"].compactMap { NetworkPrefix($0) }
        let policy = AddressPolicy(permitted: networks, ports: nil, permitsPlainHTTP: true)
        let store = try SourceStore(path: path) { Date().timeIntervalSince1970 }
        return SourceLibrary(store: store, settings: FetchSettings(addressPolicy: policy))
    }

    /// Whether a reader gives just these bytes.
    private static func gives(_ reader: SourceReader, _ expected: [UInt8]) -> Bool {
        var (piece, place) = ([UInt8](repeating: 0, count: 256 << 10), 0)
        while true {
            guard let count = read(reader, into: &piece, at: place) else { return false }
            if count == 0 { return place == expected.count }
            guard place + count <= expected.count else { return false }
            let isSame = expected.withUnsafeBytes { expected in
                expected.baseAddress.map { memcmp(piece, $0 + place, count) } == 0
            }
            guard isSame else { return false }
            place += count
        }
    }

    /// Reads at 10 KB/s, as one alone would for more than an hour.
    private static func crawl(_ reader: SourceReader, until end: Cancellation) {
        var (piece, place) = ([UInt8](repeating: 0, count: 1000), 0)
        while !end.isCancelled, let count = read(reader, into: &piece, at: place), count > 0 {
            place += count
            usleep(100_000)
        }
    }

    /// - Returns: nil when it failed.
    private static func read(
        _ reader: SourceReader, into bytes: inout [UInt8], at offset: Int
    ) -> Int? {
        bytes.withUnsafeMutableBytes { try? reader.read(into: $0, at: Int64(offset)) }
    }

    private static func require(_ holds: Bool, _ reason: String) throws {
        if !holds { throw BenchmarkFailure(reason: reason) }
    }
}
