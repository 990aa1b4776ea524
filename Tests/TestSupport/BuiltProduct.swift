import Foundation

/// The programs that were built together with the tests that are running.
public enum BuiltProduct {
    /// The path of a program, such as `takeup`.
    ///
    /// - Throws: `ToolFailure` when it is not beside the test program.
    public static func path(of name: String) throws(ToolFailure) -> String {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let path = tests.deletingLastPathComponent().appendingPathComponent(name).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw ToolFailure("\(path) is not there; `swift build` makes it")
        }
        return path
    }
}
