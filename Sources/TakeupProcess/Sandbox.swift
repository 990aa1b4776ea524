internal import CTakeupLinux
internal import Foundation

/// What a process that decodes foreign bytes has given up, as far as the system could enforce it.
public struct Sandbox: Sendable, Equatable, Codable {
    /// What the process may use.
    public struct Limits: Sendable, Equatable, Codable {
        /// Bytes of writable memory; nil sets no limit.
        public var memoryBytes: Int64? = 4 << 30
        /// Bytes that a file may grow to; nil sets no limit.
        public var fileBytes: Int64?
        public var openFiles: Int64 = 1024
        /// The one folder in which files can be made; nil for none.
        public var scratchFolder: String?

        public init() {}
    }

    /// Whether it has no capabilities, even as root, and can get none.
    public var forbidsPrivileges = false
    public var diesWithParent = false
    /// The version of Landlock in force, which denies all paths and TCP from version 4; 0 without it.
    public var landlockVersion = 0
    /// Whether system calls that no export needs are refused: sockets, programs, processes and the like.
    public var filtersCalls = false
    /// What could not be enforced, a sentence each.
    public var gaps: [String] = []

    /// Whether no file can be opened by its path, but in the scratch folder, and what the system tells of itself.
    public var deniesFiles: Bool { landlockVersion > 0 }
    public var deniesNetwork: Bool { filtersCalls }

    /// What this system could enforce, without doing it.
    public static var available: Sandbox {
        var sandbox = Sandbox()
        sandbox.forbidsPrivileges = true
        sandbox.diesWithParent = true
        sandbox.landlockVersion = Int(takeup_landlock_version())
        sandbox.filtersCalls = access("/proc/sys/kernel/seccomp/actions_avail", F_OK) == 0
        return sandbox
    }

    /// Seals this process for good.
    ///
    /// It must not have started another thread yet: those would stay outside.
    ///
    /// - Parameters:
    ///   - limits: What it may still use.
    ///   - parent: The process that started it, with which it shall end.
    /// - Returns: What could be enforced.
    /// - Throws: `ProcessError` with `.seal` when the parent is gone, or threads have been started.
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
        let version = takeup_landlock_version()
        if version == 0 {
            sandbox.gaps.append("the kernel has no Landlock: files can be read")
        } else if sandbox.holds(
            takeup_landlock_enter(version, limits.scratchFolder), "Landlock")
        {
            sandbox.landlockVersion = Int(version)
        }
        sandbox.filtersCalls = sandbox.holds(
            takeup_filter_calls(sandbox.landlockVersion == 0 ? 1 : 0), "the filter of system calls")
        return sandbox
    }

    /// Lets this process use the processor for some more seconds; beyond them the system ends it.
    public static func allowProcessorSeconds(_ seconds: Double) {
        let limit = min(max(takeup_processor_seconds() + seconds + 1, 1), 1e12)
        _ = takeup_limit(takeup_limit_processor, UInt64(limit), 1)
    }

    private mutating func apply(_ limits: Limits) {
        _ = holds(takeup_limit(takeup_limit_core, 0, 0), "no core files")
        _ = holds(
            takeup_limit(takeup_limit_files, UInt64(max(16, limits.openFiles)), 0), "open files")
        if let bytes = limits.memoryBytes {
            // A sanitizer reserves more than any limit before the program begins.
            let reason =
                Self.reservedBytes > bytes
                ? ENOMEM : takeup_limit(takeup_limit_data, UInt64(max(0, bytes)), 0)
            _ = holds(reason, "memory")
        }
        if let bytes = limits.fileBytes {
            _ = holds(takeup_limit(takeup_limit_file_size, UInt64(max(0, bytes)), 0), "file size")
        }
        // Of all processes this one is the first to go when the machine lacks memory.
        let adjustment = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard adjustment >= 0 else { return }
        let text = Array("800".utf8)
        _ = write(adjustment, text, text.count)
        close(adjustment)
    }

    /// What the system counts against a memory limit; 0 when it does not say.
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
