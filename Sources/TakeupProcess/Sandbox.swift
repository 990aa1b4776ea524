internal import CTakeupLinux
internal import Foundation

/// The restrictions of a process that decodes foreign bytes, as far as the system could enforce
/// them.
public struct Sandbox: Sendable, Equatable, Codable {
    /// The resources that the process may use.
    public struct Limits: Sendable, Equatable, Codable {
        /// Bytes of writable memory; nil sets no limit.
        public var memoryBytes: Int64? = 4 << 30
        /// Size limit of a file, in bytes; nil sets no limit.
        public var fileBytes: Int64?
        public var openFiles: Int64 = 1024
        /// The only folder in which files can be created; nil for none.
        public var scratchFolder: String?
        /// Highest Landlock version to use, to imitate an older kernel; 0 for none, nil for the
        /// kernel's own.
        public var mostLandlockVersion: Int32?

        public init() {}
    }

    /// Whether the process has no capabilities, even as root, and can get none.
    public var forbidsPrivileges = false
    public var diesWithParent = false
    /// The Landlock version in force; it denies all paths, and TCP from version 4 on; 0 without
    /// Landlock.
    public var landlockVersion = 0
    /// Whether all system calls are refused except those that an export needs.
    ///
    /// Refused are, for example, sockets and the start of programs or processes.
    public var filtersCalls = false
    /// Restrictions that could not be enforced, one sentence each.
    public var gaps: [String] = []

    /// Whether no file can be opened by path, except in the scratch folder and system information.
    public var deniesFiles: Bool { landlockVersion > 0 }
    public var deniesNetwork: Bool { filtersCalls }
    /// Whether foreign code in the process could reach no files, no network and no other processes.
    public var isWhole: Bool { deniesFiles && filtersCalls && forbidsPrivileges }

    /// What a sealed process could still do on this system, each as the end of a sentence; empty if
    /// `isWhole`.
    public var unconfined: [String] {
        [
            deniesFiles ? nil : "read every file of its user (the kernel has no Landlock)",
            filtersCalls
                ? nil : "use the network and start programs (the kernel has no seccomp filter)",
            forbidsPrivileges ? nil : "gain privileges (no_new_privs cannot be set)",
        ].compactMap(\.self)
    }

    /// Returns the restrictions that this system could enforce, without applying them.
    ///
    /// - Parameter mostLandlockVersion: The same as in `Limits`.
    /// - Returns: The result that `enter` would have, without gaps.
    public static func available(mostLandlockVersion: Int32? = nil) -> Sandbox {
        var sandbox = Sandbox()
        sandbox.forbidsPrivileges = true
        sandbox.diesWithParent = true
        sandbox.landlockVersion = Int(min(takeup_landlock_version(), mostLandlockVersion ?? .max))
        sandbox.filtersCalls = takeup_can_filter() == 1
        return sandbox
    }

    /// Seals this process permanently.
    ///
    /// The process must not have started another thread yet, because other threads would stay
    /// outside.
    ///
    /// - Parameters:
    ///   - limits: The resources that the process may still use.
    ///   - parent: The process that started this one; this process ends with it.
    /// - Returns: The enforced restrictions.
    /// - Throws: `ProcessError` with `.seal` if the parent is gone, or threads have been started.
    public static func enter(_ limits: Limits, parent: Int32) throws(ProcessError) -> Sandbox {
        var sandbox = Sandbox()
        sandbox.diesWithParent = sandbox.holds(takeup_die_with_parent(), "death with the parent")
        guard getppid() == parent else {
            throw ProcessError(.seal, errno: ESRCH, subject: "the parent process")
        }
        let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        guard threads?.count ?? 1 == 1 else {
            throw ProcessError(.seal, errno: EBUSY, subject: "a process with threads")
        }
        sandbox.apply(limits)
        sandbox.forbidsPrivileges =
            sandbox.holds(takeup_drop_capabilities(), "no capabilities")
            && sandbox.holds(takeup_forbid_privileges(), "no new privileges")
        let version = min(takeup_landlock_version(), limits.mostLandlockVersion ?? .max)
        let filters = takeup_can_filter()
        if version == 0 {
            sandbox.gaps.append("the kernel has no Landlock: files can be read")
        } else if sandbox.holds(
            takeup_landlock_enter(version, limits.scratchFolder, filters), "Landlock")
        {
            sandbox.landlockVersion = Int(version)
        }
        guard filters == 1 else {
            sandbox.gaps.append("the kernel has no filter of system calls: the network can be used")
            return sandbox
        }
        let reason = takeup_filter_calls(sandbox.landlockVersion > 0 ? 1 : 0)
        guard reason == 0 else {
            throw ProcessError(.seal, errno: reason, subject: "the filter of system calls")
        }
        sandbox.filtersCalls = true
        return sandbox
    }

    private mutating func apply(_ limits: Limits) {
        _ = holds(takeup_limit(takeup_limit_core, 0), "no core files")
        _ = holds(
            takeup_limit(takeup_limit_files, UInt64(max(16, limits.openFiles))), "open files")
        if let bytes = limits.memoryBytes {
            // A sanitizer reserves more memory than any limit before the program begins.
            let reason =
                Self.reservedBytes > bytes
                ? ENOMEM : takeup_limit(takeup_limit_data, UInt64(max(0, bytes)))
            _ = holds(reason, "memory")
        }
        if let bytes = limits.fileBytes {
            _ = holds(takeup_limit(takeup_limit_file_size, UInt64(max(0, bytes))), "file size")
        }
        // Make the kernel kill this process first if the machine runs out of memory.
        let adjustment = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard adjustment >= 0 else { return }
        let text = Array("800".utf8)
        _ = write(adjustment, text, text.count)
        close(adjustment)
    }

    /// Bytes that count against a memory limit; 0 if the system does not tell.
    private static var reservedBytes: Int64 {
        guard let file = fopen("/proc/self/statm", "re") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let text = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let pages = text.split(separator: " ").dropFirst(5).first.flatMap { Int64($0) } ?? 0
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }

    private mutating func holds(_ reason: Int32, _ what: String) -> Bool {
        guard reason != 0 else { return true }
        gaps.append("\(what): \(String(cString: strerror(reason)))")
        return false
    }
}
