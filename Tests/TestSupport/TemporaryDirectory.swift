public import Foundation

/// A directory for one test, removed with all that is in it when the value goes out of scope.
public struct TemporaryDirectory: ~Copyable {
    /// Its absolute path, without a slash at the end.
    public let path: String

    /// Makes an empty directory under the system's one for temporary files.
    ///
    /// - Throws: `ToolFailure` when none can be made.
    public init() throws(ToolFailure) {
        let parent = FileManager.default.temporaryDirectory.path
        let name = "takeup-test-\(getpid())-\(UUID().uuidString)"
        path = URL(fileURLWithPath: parent).appendingPathComponent(name).path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw ToolFailure("no temporary directory \(path): \(error)")
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in it, which need not exist.
    public func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// The names of everything in it, hidden files too, sorted.
    ///
    /// - Throws: `ToolFailure` when it cannot be read.
    public func names() throws(ToolFailure) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            throw ToolFailure("cannot list \(path): \(error)")
        }
    }

    /// Writes a file in it, with the folders above it, and returns the file's path.
    ///
    /// - Throws: `ToolFailure` when it cannot be written.
    @discardableResult
    public func write(_ contents: Data, to name: String) throws(ToolFailure) -> String {
        do {
            let folder = URL(fileURLWithPath: file(name)).deletingLastPathComponent()
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true)
            try contents.write(to: URL(fileURLWithPath: file(name)))
        } catch {
            throw ToolFailure("cannot write \(file(name)): \(error)")
        }
        return file(name)
    }
}
