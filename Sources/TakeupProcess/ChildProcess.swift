internal import CTakeupLinux
internal import Foundation
internal import TakeupLanes

/// A program in its own process and process group; both end with this object.
public final class ChildProcess: Sendable {
    /// The way a process ended.
    public enum Ending: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
    }

    /// The program to start.
    public struct Program: Sendable {
        public var path: String
        /// The arguments, without the program's name.
        public var arguments: [String] = []
        /// The complete environment of the program.
        public var environment: [String: String] = [:]
        /// Descriptor for standard input; nil for empty input.
        public var input: Int32?
        /// Descriptor for standard output and standard error.
        public var log: Int32
        /// Descriptors that the program gets as 3, 4, …; it inherits no others.
        public var descriptors: [Int32] = []

        public init(path: String, log: Int32) {
            (self.path, self.log) = (path, log)
        }
    }

    public let pid: Int32
    /// The ending; nil while the process runs.
    private let ending = Locked<Ending?>(nil)

    /// Starts a program.
    ///
    /// - Throws: `ProcessError` with `.spawn`.
    public init(_ program: Program) throws(ProcessError) {
        let started = SpawnLane.shared.run { Self.spawn(program) }
        guard started.reason == 0 else {
            throw ProcessError(.spawn, errno: started.reason, subject: program.path)
        }
        pid = started.pid
    }

    deinit {
        if ending.withLock({ $0 }) == nil {
            kill()
            _ = wait()
        }
    }

    /// Waits for the process to end.
    ///
    /// - Parameter timeoutSeconds: The longest wait; nil waits without limit.
    /// - Returns: How the process ended; nil while it runs.
    public func wait(timeoutSeconds: Double? = nil) -> Ending? {
        let end = timeoutSeconds.map { ContinuousClock.now + .seconds($0) }
        let descriptor = takeup_open_process(pid)
        defer { if descriptor >= 0 { close(descriptor) } }
        while true {
            if let ended = reap() { return ended }
            let left = end.map { max(0, ($0 - ContinuousClock.now) / .seconds(1)) } ?? 60
            guard left > 0 else { return nil }
            // Without a process descriptor, poll repeatedly.
            var event = pollfd(fd: max(-1, descriptor), events: Int16(POLLIN), revents: 0)
            poll(&event, 1, Int32(min(descriptor >= 0 ? left * 1000 + 1 : 10, 60_000)))
        }
    }

    private func reap() -> Ending? {
        ending.withLock { ending in
            if ending != nil { return ending }
            var status: Int32 = 0
            guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
            let signal = status & 0x7F
            ending = signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
            return ending
        }
    }

    /// Kills the process and its process group at once.
    public func kill() {
        ending.withLock { ending in
            // After the process is reaped, its number may belong to another process.
            guard ending == nil else { return }
            Foundation.kill(-pid, SIGKILL)
            Foundation.kill(pid, SIGKILL)
        }
    }

    /// Asks the process and its group to end, then kills whatever remains after the grace time.
    ///
    /// - Parameter graceSeconds: The grace time, in seconds.
    /// - Returns: How the process ended.
    public func end(graceSeconds: Double) -> Ending? {
        ending.withLock { ending in
            guard ending == nil else { return }
            Foundation.kill(-pid, SIGTERM)
        }
        waitUnreaped(seconds: graceSeconds)
        // Until the process is reaped, its group keeps its number, so that surviving members are
        // killed too.
        kill()
        return wait()
    }

    private func waitUnreaped(seconds: Double) {
        let end = ContinuousClock.now + .seconds(seconds)
        var facts = siginfo_t()
        while ending.withLock({ $0 }) == nil, ContinuousClock.now < end {
            facts.si_signo = 0
            let options = WEXITED | WNOHANG | WNOWAIT
            guard waitid(P_PID, id_t(pid), &facts, options) == 0, facts.si_signo == 0 else {
                return
            }
            usleep(10_000)
        }
    }

    /// Extends the process's processor time limit by some seconds.
    ///
    /// Beyond the limit, the system kills the process. A sealed process cannot raise the limit
    /// itself.
    public func allowProcessorSeconds(_ seconds: Double) {
        ending.withLock { ending in
            guard ending == nil else { return }
            _ = takeup_allow_processor(pid, max(0, seconds))
        }
    }

    /// Processor time used so far, in seconds; 0 once the process has ended.
    public var processorSeconds: Double {
        ending.withLock { $0 == nil ? max(0, takeup_processor_seconds(pid)) : 0 }
    }

    /// Memory in use now, in bytes; 0 once the process has ended.
    public var residentBytes: Int64 {
        guard let file = fopen("/proc/\(pid)/statm", "re") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let text = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int64($0) } ?? 0
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func spawn(_ program: Program) -> (pid: Int32, reason: Int32) {
        let inputs = program.input.map { [$0] } ?? []
        let wanted = inputs + [program.log, program.log] + program.descriptors
        let first = Int32(1 - inputs.count)
        // Copy the descriptors to numbers behind the last target first, so that none is
        // overwritten while still needed.
        let lowest = first + Int32(wanted.count)
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        for descriptor in wanted {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, lowest)
            // The system says EINVAL if no open file may have so high a number.
            guard copy >= 0 else { return (0, errno == EINVAL ? EMFILE : errno) }
            copies.append(copy)
        }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if inputs.isEmpty {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        for (place, copy) in copies.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, copy, first + Int32(place))
        }
        _ = takeup_close_from(&actions, first + Int32(copies.count))

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var arguments = ([program.path] + program.arguments).map { strdup($0) } + [nil]
        var variables = program.environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var pid: pid_t = 0
        let reason = posix_spawn(
            &pid, program.path, &actions, &attributes, &arguments, &variables)
        return (pid, reason)
    }
}
