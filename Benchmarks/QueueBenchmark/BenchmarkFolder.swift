import Foundation

/// A new folder for one database, removed at its end; `TMPDIR` says on which disk.
struct BenchmarkFolder: ~Copyable {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("takeup-bench-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A new empty file.
    func made(_ name: String) throws -> String {
        guard FileManager.default.createFile(atPath: "\(path)/\(name)", contents: nil) else {
            throw BenchmarkFailure("\(path) cannot be written")
        }
        return "\(path)/\(name)"
    }

    var database: String { "\(path)/takeup.db" }
}
