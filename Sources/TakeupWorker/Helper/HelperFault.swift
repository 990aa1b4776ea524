internal import Foundation
internal import TakeupExport
internal import TakeupLanes

/// A failure on request, by which tests see what becomes of a helper that fails.
///
/// Without the environment variable `TAKEUP_HELPER_FAULTS`, which a parent sets or not, there is none.
enum HelperFault: String {
    static let variable = "TAKEUP_HELPER_FAULTS"
    /// The key among a request's metadata whose value may ask for a fault.
    static let key = "comment"
    /// What stands before a fault there, and in a probed source's name.
    private static let prefix = "takeup-fault:"

    case segmentationFault = "segfault"
    case hang
    case memory = "eat-memory"
    case processor = "eat-processor"
    case probe

    init?(_ request: HelperRequest) {
        guard let comment = request.settings.metadata[Self.key] else { return nil }
        self.init(asked: comment)
    }

    /// - Parameter name: A probed source's or a comment, such as `takeup-fault:hang`.
    init?(asked name: String) {
        guard name.hasPrefix(Self.prefix),
            ProcessInfo.processInfo.environment[Self.variable] == "1"
        else { return nil }
        self.init(rawValue: String(name.dropFirst(Self.prefix.count)))
    }

    /// What asks for it.
    var text: String { Self.prefix + rawValue }

    func happen() async throws(FailureReport) {
        switch self {
        case .segmentationFault:
            HelperProcess.say("about to crash")
            UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
        case .hang: await Self.forever { sleep(1) }
        case .processor: await Self.forever {}
        case .memory:
            await Self.forever {
                // The optimiser leaves out what is allocated and never read; a call of the system it does not.
                let flags = MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_POPULATE)
                let bytes = mmap(nil, 16 << 20, PROT_READ | PROT_WRITE, flags, -1, 0)
                if bytes == MAP_FAILED { sleep(1) }
            }
        case .probe: throw Self.probe()
        }
    }

    private static func forever(_ body: @escaping @Sendable () -> Void) async {
        _ = try? await Lane("takeup.fault").run { while true { body() } }
    }

    /// Tries what a sealed process must not do; the message names what it could.
    private static func probe() -> FailureReport {
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_INET)
        var pid: pid_t = 0
        let size = socklen_t(MemoryLayout<sockaddr>.size)
        let attempts: [(String, Bool)] = [
            ("open", open("/etc/passwd", O_RDONLY) >= 0),
            ("create", open("/tmp/takeup-probe-\(getpid())", O_WRONLY | O_CREAT, 0o600) >= 0),
            ("list", opendir("/") != nil),
            ("list processes", opendir("/proc") != nil),
            ("environment", open("/proc/\(getppid())/environ", O_RDONLY) >= 0),
            ("memory", open("/proc/\(getppid())/mem", O_RDONLY) >= 0),
            ("files of others", open("/proc/\(getppid())/root/etc/passwd", O_RDONLY) >= 0),
            ("settings", open("/proc/self/oom_score_adj", O_WRONLY) >= 0),
            ("kernel", open("/proc/kcore", O_RDONLY) >= 0),
            ("mkdir", mkdir("/tmp/takeup-probe-\(getpid())-folder", 0o700) == 0),
            ("chmod", chmod("/tmp", 0o1777) == 0),
            ("socket", socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0),
            ("unix", socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0),
            ("connect", connect(3, &address, size) == 0),
            ("spawn", posix_spawn(&pid, "/bin/true", nil, nil, [nil], [nil]) == 0),
            ("kill", kill(getppid(), 0) == 0),
            ("signal all", kill(-1, 0) == 0),
        ]
        let done = attempts.filter(\.1).map(\.0).joined(separator: ", ")
        return FailureReport(
            code: "probe", stage: "open", message: done, hint: "none of these should be possible",
            ending: FailureReport.Ending(1, .giveUp))
    }
}
