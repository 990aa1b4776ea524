import Foundation

/// Paths below the user's own folder, as a shell has them.
enum HomePath {
    /// A path with `~/` at its begin replaced; any other as it is.
    ///
    /// - Parameters:
    ///   - path: As settings have it.
    ///   - home: Absolute; nil leaves the path as it is.
    /// - Returns: The path to use.
    static func expanded(
        _ path: String, home: String? = ProcessInfo.processInfo.environment["HOME"]
    ) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home, home.hasPrefix("/") else {
            return path
        }
        return home + path.dropFirst()
    }
}
