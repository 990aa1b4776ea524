internal import CTakeupLinux
internal import Foundation

/// Whether a sandbox holds, tried from within.
public enum SandboxTrial {
    /// Tries what a sealed process must not do, and every system call that it has no use for.
    ///
    /// - Parameters:
    ///   - path: A file that it has not been given; it may be lost.
    ///   - file: A file that it has, open for reading and writing.
    /// - Returns: What could be done, with commas; empty where the sandbox holds.
    public static func escapes(path: String, file: Int32) -> String {
        var names = [CChar](repeating: 0, count: 64 << 10)
        takeup_try_escapes(path, file, getppid(), &names, names.count)
        let end = names.firstIndex(of: 0) ?? names.endIndex
        return String(decoding: names[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
