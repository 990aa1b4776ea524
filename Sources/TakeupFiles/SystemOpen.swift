internal import CTakeupLinux

/// `openat2`, apart from everything that knows Foundation's types: the same C types come from two modules, and the one
/// that the compiler meets first has them.
enum SystemOpen {
    /// - Returns: A descriptor, or a negative `errno`.
    static func beneath(_ folder: Int32, _ path: String, _ flags: Int32) -> Int32 {
        takeup_open_beneath(folder, path, flags)
    }
}
