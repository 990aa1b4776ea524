internal import CTakeupLinux
internal import Foundation

/// Tests from within whether a sandbox holds.
public enum SandboxTrial {
    /// Tries everything that a sealed process must not do, and every system call that it does not
    /// need.
    ///
    /// - Parameters:
    ///   - path: A file that the process was not given; it may be lost.
    ///   - file: A file of the process, open for reading and writing.
    /// - Returns: The successful attempts, separated by commas; empty if the sandbox holds.
    public static func escapes(path: String, file: Int32) -> String {
        var names = [CChar](repeating: 0, count: 64 << 10)
        takeup_try_escapes(path, file, getppid(), &names, names.count)
        let end = names.firstIndex(of: 0) ?? names.endIndex
        return String(decoding: names[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
