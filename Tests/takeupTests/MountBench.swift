import Foundation
import TestSupport

@testable import takeup

/// Runs the built program among mounts that nobody else sees.
struct MountBench {
    /// Whether this user may mount in a namespace of its own.
    static let isPossible: Bool = {
        let words = ["-m", "--propagation", "private", "/bin/sh", "-c", "mount --bind /tmp /tmp"]
        guard let trial = try? Subprocess("/usr/bin/unshare", words) else { return false }
        return trial.wait().exitCode == 0
    }()

    private let bench: WatchProgramBench

    init(_ bench: WatchProgramBench) { self.bench = bench }

    func make(_ folders: [String]) throws {
        for folder in folders {
            try FileManager.default.createDirectory(
                atPath: bench.file(folder), withIntermediateDirectories: true)
        }
    }

    /// - Parameters:
    ///   - before: Shell commands in the bench's folder, which mount.
    ///   - words: For the program.
    ///   - seconds: When it is stopped; nil lets it end by itself.
    ///   - after: A shell command among the same mounts, once it has ended.
    /// - Returns: How the program ended and what it said.
    /// - Throws: When it cannot be started.
    func run(
        _ before: [String], _ words: [String], seconds: Int? = nil, after: String = "true"
    ) throws -> Subprocess.Outcome {
        let program = [try BuiltProduct.path(of: "takeup")] + words
        let quoted = program.map { "'\($0)'" }.joined(separator: " ")
        let limit = seconds.map { "timeout -s TERM \($0) " } ?? ""
        let script =
            (["set -e", "cd '\(bench.file("."))'"] + before + [
                "\(limit)\(quoted) && code=0 || code=$?", after, "exit $code",
            ])
            .joined(separator: "\n")
        return try Subprocess(
            "/usr/bin/unshare", ["-m", "--propagation", "private", "/bin/sh", "-c", script],
            environment: [
                "TAKEUP_HOME": bench.file("home"), "TAKEUP_CACHE": bench.file("cache"),
                "XDG_DATA_HOME": bench.file("data"),
            ]
        ).wait()
    }
}
