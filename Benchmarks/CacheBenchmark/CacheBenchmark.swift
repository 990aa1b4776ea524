import Foundation
import TakeupCache
import TakeupDigest
import TakeupSQL

/// Times a cache of many entries and prints one JSON line for each thing that was timed.
@main
struct CacheBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let count = arguments.first.flatMap { Int($0) } ?? 100_000
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
        // Given a built `takeup`, the same lookup as a command, beside one that looks for nothing.
        guard let takeup = arguments.dropFirst().first else { return }
        for (name, words) in [
            ("cache-get", ["cache", "get", "asset-77"]), ("startup", ["--version"]),
        ] {
            seconds = try (0..<20).map { _ in try time { try run(takeup, words, folder) } }
            report("process-\(name)", entries: count, &seconds)
        }
    }

    private static func run(_ takeup: String, _ words: [String], _ folder: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: takeup)
        process.arguments = words
        process.environment = [
            "TAKEUP_HOME": folder, "TAKEUP_CACHE": "\(folder)/cache",
            "TAKEUP_DATABASE": "sqlite:\(folder)/takeup.db",
        ]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        precondition(process.terminationStatus == 0)
    }

    /// A row and its file, without the waits for the disk that a real one has.
    private static func add(_ number: Int, to cache: MediaCache) throws {
        let content = "small file \(number)"
        let digest = try SHA256Digest.of(content)
        guard let object = ObjectName(sha256: digest, fileExtension: .mp4) else { return }
        let path = cache.directory.path(of: object)
        mkdir(String(path.dropLast(69)), 0o700)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        let bytes = Int64(content.utf8.count)
        precondition(file >= 0 && Int64(write(file, content, content.utf8.count)) == bytes)
        close(file)
        let entry = ManifestEntry(
            key: digest, object: object, bytes: bytes,
            createdAt: Date().timeIntervalSince1970)
        _ = try cache.manifest.record(entry, alias: "asset-\(number)", if: { _ in true })
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
