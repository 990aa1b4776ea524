public import Foundation

/// A program that a test has started in a process group of its own.
///
/// Nothing runs beside the caller: output is read while it waits, so a program that prints much
/// stands still until one of the waiting methods is called. Dropping the value kills the group.
public struct Subprocess: ~Copyable {
    /// The program's process number, which is also its group's.
    public let pid: pid_t

    private let command: String
    private let began = ContinuousClock.now
    private let parentPeakBytes: Int
    private var output: PipeReader
    private var errors: PipeReader
    private var sampledPeakBytes = 0
    private var timedOut = false
    private var isReaped = false

    /// Starts a program, found on the `PATH` when its name has no slash; it reads nothing.
    ///
    /// - Parameters:
    ///   - program: A name or a path.
    ///   - arguments: What follows the name.
    ///   - environment: Variables that are set besides the caller's own.
    ///   - directory: Where it starts; nil is the caller's working directory.
    /// - Throws: `ToolFailure` when it cannot be started.
    public init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:],
        directory: String? = nil
    ) throws(ToolFailure) {
        let launch = SpawnRequest(
            program: program, arguments: arguments, environment: environment, directory: directory)
        let child = try launch.start()
        command = launch.description
        pid = child.pid
        output = PipeReader(descriptor: child.output)
        errors = PipeReader(descriptor: child.errors)
        parentPeakBytes = Self.peakOfThisProcess()
    }

    deinit {
        guard !isReaped else { return }
        kill(-pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - program: A name or a path.
    ///   - arguments: What follows the name.
    ///   - environment: Variables that are set besides the caller's own.
    ///   - directory: Where it starts; nil is the caller's working directory.
    ///   - timeoutSeconds: After so long its whole group is killed.
    /// - Returns: How it ended and what it printed.
    /// - Throws: `ToolFailure` when it cannot be started; an exit code other than 0 is no failure.
    public static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:],
        directory: String? = nil, timeoutSeconds: Double = 300
    ) throws(ToolFailure) -> Outcome {
        let process = try Subprocess(
            program, arguments, environment: environment, directory: directory)
        return process.wait(timeoutSeconds: timeoutSeconds)
    }

    /// What it has printed on both streams, as far as that was read.
    public var outputSoFar: String {
        String(decoding: output.collected + errors.collected, as: UTF8.self)
    }

    /// Sends a signal to the program, not to its group.
    public func signal(_ number: Int32) {
        kill(pid, number)
    }

    /// Reads until a text was printed on either stream, and says whether it was.
    ///
    /// - Returns: `false` when both streams ended, or the time was over, without it.
    public mutating func waitForOutput(
        containing text: String, timeoutSeconds: Double = 120
    ) -> Bool {
        let deadline = ContinuousClock.now + .seconds(timeoutSeconds)
        let wanted = Data(text.utf8)
        while true {
            if output.collected.range(of: wanted) != nil { return true }
            if errors.collected.range(of: wanted) != nil { return true }
            guard output.isOpen || errors.isOpen, ContinuousClock.now < deadline else {
                return false
            }
            readOnce()
        }
    }

    /// Waits for the end of the program and of everything that holds its output streams.
    ///
    /// - Parameter timeoutSeconds: After so long the whole group is killed.
    /// - Returns: How it ended and all that it printed.
    public consuming func wait(timeoutSeconds: Double = 300) -> Outcome {
        let deadline = ContinuousClock.now + .seconds(timeoutSeconds)
        var status: Int32 = 0
        var usage = rusage()
        var hasEnded = false
        // A descendant can outlive the program and hold its streams, until the time is over.
        while !hasEnded || (!timedOut && (output.isOpen || errors.isOpen)) {
            readOnce()
            if !hasEnded { hasEnded = wait4(pid, &status, WNOHANG, &usage) == pid }
            if ContinuousClock.now >= deadline, !timedOut {
                timedOut = true
                kill(-pid, SIGKILL)
            }
        }
        isReaped = true
        readOnce()
        return outcome(status: status, usage: usage)
    }

    private mutating func readOnce() {
        sampledPeakBytes = max(sampledPeakBytes, Self.peakOfProcess(pid))
        PipeReader.wait(for: output, errors, milliseconds: 10)
        output.readAvailable()
        errors.readAvailable()
    }

    private func outcome(status: Int32, usage: rusage) -> Outcome {
        // `exec` hands the parent's peak down to a spawned child, so that the kernel's figure is
        // the child's own only where it is above the parent's. Below it, the samples count.
        let reported = usage.ru_maxrss * 1024
        let number = status & 0x7f
        return Outcome(
            command: command,
            exitCode: number == 0 ? (status >> 8) & 0xff : nil,
            signal: number == 0 ? nil : number,
            timedOut: timedOut,
            standardOutput: output.collected,
            standardError: errors.collected,
            peakResidentBytes: reported > parentPeakBytes ? reported : sampledPeakBytes,
            cpuSeconds: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime),
            seconds: (ContinuousClock.now - began) / .seconds(1))
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
    }

    private static func peakOfThisProcess() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss * 1024
    }

    /// The high-water mark of a running process's memory, 0 when it has ended.
    private static func peakOfProcess(_ pid: pid_t) -> Int {
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        else { return 0 }
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kibibytes = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
        return (kibibytes.flatMap { Int($0) } ?? 0) * 1024
    }
}
