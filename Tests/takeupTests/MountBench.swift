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

    /// What a shell runs until something is so: a test waits for what happens, not for a time.
    static func wait(until condition: String) -> String {
        "n=0; until \(condition); do n=$((n + 1)); [ $n -lt 1200 ] || break; sleep 0.1; done"
    }

    /// Until the program has said something.
    static func wait(forWords words: String) -> String { wait(until: "grep -q '\(words)' said") }

    /// Asks the program to stop.
    static let stop = "kill $program"

    /// - Parameters:
    ///   - before: Shell commands in the bench's folder, which mount.
    ///   - words: For the program.
    ///   - during: Shell commands while it runs.
    ///   - after: A shell command among the same mounts, once it has ended.
    /// - Returns: How the program ended and what it said.
    /// - Throws: When it cannot be started.
    func run(
        _ before: [String], _ words: [String], during: [String] = [], after: String = "true"
    ) throws -> Subprocess.Outcome {
        let program = [try BuiltProduct.path(of: "takeup")] + words
        let quoted = program.map { "'\($0)'" }.joined(separator: " ")
        let script =
            (["set -e", "cd '\(bench.file("."))'"] + before + ["\(quoted) 2>said & program=$!"]
            + during + [
                "wait $program && code=0 || code=$?", "cat said >&2", after, "exit $code",
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
