import Foundation
import TakeupFetch
import TakeupProcess

/// Asks the kernel.
struct LinuxFacts: SystemFacts {
    func freeBytes(_ folder: String) -> Int64? {
        var facts = statvfs()
        guard statvfs(folder, &facts) == 0 else { return nil }
        let (bytes, overflow) = UInt64(facts.f_bavail).multipliedReportingOverflow(
            by: UInt64(facts.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }

    func isThere(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    func isWritable(_ folder: String) -> Bool {
        access("\(folder)/.", W_OK | X_OK) == 0
    }

    func supportsNamelessFiles(_ folder: String) -> Bool {
        // O_TMPFILE of <fcntl.h> is a macro that Swift does not import.
        let temporaryFile: Int32 = 0o20_000_000 | O_DIRECTORY
        let descriptor = open(folder, temporaryFile | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }

    func isProcMounted() -> Bool {
        access("/proc/self/fd", R_OK | X_OK) == 0
    }

    func sandbox() -> Sandbox { .available() }

    func canFetch() -> Bool { SourceLibrary.canFetch }

    func cores() -> Int { ProcessInfo.processInfo.activeProcessorCount }

    func availableMemory() -> Int64? {
        guard let text = try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8) else {
            return nil
        }
        for line in text.split(separator: "\n") where line.hasPrefix("MemAvailable:") {
            let number = line.split(separator: " ").dropFirst().first
            return number.flatMap { Int64($0) }.map { $0 * 1024 }
        }
        return nil
    }

    func inotifyLimits() -> InotifyLimits? {
        guard let watches = Self.number(in: "/proc/sys/fs/inotify/max_user_watches"),
            let instances = Self.number(in: "/proc/sys/fs/inotify/max_user_instances")
        else { return nil }
        return InotifyLimits(watches: watches, instances: instances)
    }

    private static func number(in file: String) -> Int? {
        let text = try? String(contentsOfFile: file, encoding: .utf8)
        return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }
}
