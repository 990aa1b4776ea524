import Foundation
import TakeupCache
import TakeupSQLite

/// Times a cache of many entries and prints one JSON line for each thing that was timed.
@main
struct CacheBenchmark {
    static let content = Array("a small file".utf8)

    static func main() throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("takeup-bench-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let manifest = try Manifest(path: "\(folder)/takeup.db") { Date().timeIntervalSince1970 }
        let cache = try MediaCache(
            path: "\(folder)/cache", manifest: manifest, limits: CacheLimits(),
            log: AccessLog(folder: folder))
        for number in 0..<count { try add(number, to: cache) }

        var seconds = try (0..<3).map { _ in
            try time {
                let found = try cache.reconcile()
                precondition(found.entries == count && found.droppedRows == 0)
            }
        }
        report("cache-reconcile", entries: count, &seconds)
        seconds = try (0..<2000).map { round in
            try time {
                let found = try cache.lookup("asset-\(round * 7919 % count)")
                precondition(found != nil)
            }
        }
        report("cache-hit", entries: count, &seconds)
        seconds = try (0..<5).map { _ in try time { _ = try cache.clean() } }
        report("cache-clean", entries: count, &seconds)
        seconds = try (0..<5).map { _ in try time { _ = try cache.statistics() } }
        report("cache-statistics", entries: count, &seconds)
    }

    /// A row and its file, without the waits for the disk that a real one has.
    private static func add(_ number: Int, to cache: MediaCache) throws {
        let mixed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        let digits = String(mixed, radix: 16)
        let key =
            String(repeating: "0", count: 16 - digits.count) + digits
            + String(repeating: "0", count: 48)
        guard let object = ObjectName(sha256: key, fileExtension: .mp4) else { return }
        let path = cache.directory.path(of: object)
        mkdir(String(path.dropLast(69)), 0o700)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        precondition(file >= 0 && write(file, content, content.count) == content.count)
        close(file)
        let entry = ManifestEntry(
            key: key, object: object, bytes: Int64(content.count),
            createdAt: Date().timeIntervalSince1970)
        _ = try cache.manifest.record(entry, alias: "asset-\(number)", if: .always)
    }

    private static func time(_ body: () throws -> Void) rethrows -> Double {
        try ContinuousClock().measure(body) / .seconds(1)
    }

    private static func report(_ name: String, entries: Int, _ seconds: inout [Double]) {
        seconds.sort()
        let (median, p95) = (seconds[seconds.count / 2], seconds[seconds.count * 95 / 100])
        print(
            #"{"benchmark":"\#(name)","entries":\#(entries),"runs":\#(seconds.count),"#
                + #""median_s":\#(median),"p95_s":\#(p95)}"#)
    }
}
