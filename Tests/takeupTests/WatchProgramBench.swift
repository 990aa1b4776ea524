import Foundation
import TestSupport

@testable import takeup

/// A folder to watch, and the built program to watch it with.
final class WatchProgramBench {
    private let own = try? TestBench()

    init(_ files: [String: Data]) throws {
        for name in ["in", "home"] {
            try FileManager.default.createDirectory(
                atPath: file(name), withIntermediateDirectories: true)
        }
        for (name, bytes) in files { try put(name, bytes) }
    }

    func file(_ name: String) -> String { "\(own?.folder ?? "/nowhere")/\(name)" }

    /// Lets a program of its own write the file: a child that another test starts meanwhile has copies of what is open
    /// here, and a file that is open for writing is not taken.
    func put(_ name: String, _ bytes: Data) throws {
        let target = URL(fileURLWithPath: file("in/\(name)"))
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        let staged = URL(fileURLWithPath: file("staged-\(UUID().uuidString)"))
        try bytes.write(to: staged)
        _ = try Subprocess("/bin/cp", ["--", staged.path, target.path], directory: own?.folder)
            .wait().requireSuccess()
        try FileManager.default.removeItem(at: staged)
    }

    func start(_ words: [String]) throws -> Subprocess {
        try Subprocess(
            BuiltProduct.path(of: "takeup"), words,
            environment: [
                "TAKEUP_HOME": file("home"), "TAKEUP_CACHE": file("cache"),
                "XDG_DATA_HOME": file("data"),
            ], directory: own?.folder)
    }

    func run(_ words: [String]) throws -> Subprocess.Outcome { try start(words).wait() }

    func watch(_ words: [String] = []) throws -> Subprocess.Outcome {
        try run(["watch", "in", "-o", "out", "--stable", "0.2s", "--once"] + words)
    }

    /// All files below a folder.
    func files(_ folder: String) -> [String] {
        let paths = FileManager.default.enumerator(atPath: file(folder))
        return (paths?.compactMap { $0 as? String } ?? []).filter { path in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(
                atPath: file("\(folder)/\(path)"), isDirectory: &isFolder)
            return !isFolder.boolValue
        }.sorted()
    }

    /// How many jobs were ever accepted.
    func jobCount() throws -> Int {
        let outcome = try run(["jobs", "list", "--json"]).requireSuccess()
        let jobs = try JSONSerialization.jsonObject(with: outcome.standardOutput) as? [Any]
        return jobs?.count ?? -1
    }
}
