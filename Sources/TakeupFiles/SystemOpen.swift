internal import CTakeupLinux

/// Wraps `openat2`, in a file without Foundation.
///
/// The same C types exist in two modules, and the compiler uses the module that it meets first.
enum SystemOpen {
    /// - Returns: A descriptor, or a negative `errno`.
    static func beneath(_ folder: Int32, _ path: String, _ flags: Int32) -> Int32 {
        takeup_open_beneath(folder, path, flags)
    }
}
