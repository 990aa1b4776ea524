internal import Foundation
package import TakeupLanes
internal import TakeupProcess
package import TakeupWatch

/// A hook that is a program: it reads the event from its standard input and ends with 0.
package struct CommandHook: Sendable {
    /// How long a program may take to end once it is asked to, in seconds.
    package static let graceSeconds = 2.0
    /// Between two looks at its output, in seconds.
    private static let lookSeconds = 0.05
    /// Where programs are looked up without a PATH.
    private static let defaultPath = "/usr/local/bin:/usr/bin:/bin"
    /// What a service manager says to this process alone.
    private static let ownVariables = [
        "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_FDS", "LISTEN_PID",
        "LISTEN_FDNAMES",
    ]

    private let words: [String]
    private let timeoutSeconds: Double
    private let environment: [String: String]

    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - timeoutSeconds: After so long it is ended, with all that it has started.
    ///   - environment: This process's own.
    package init(_ words: [String], timeoutSeconds: Double, environment: [String: String]) {
        (self.words, self.timeoutSeconds) = (words, timeoutSeconds)
        self.environment = environment.filter { !Self.ownVariables.contains($0.key) }
    }

    /// Runs the program once.
    package func deliver(_ message: HookMessage, until stop: Cancellation) -> HookAnswer {
        guard !stop.isCancelled else { return .stopped }
        guard let path = programPath else {
            return .failed("there is no program \(words.first ?? "")")
        }
        do throws(ProcessError) {
            let output = try HookOutput()
            let input = try MemoryFile(Array("\(message.body)\n".utf8))
            var program = ChildProcess.Program(path: path, log: output.writing)
            program.arguments = Array(words.dropFirst())
            program.environment = environment.merging(Self.variables(message.event)) { $1 }
            program.input = input.descriptor
            let child = try ChildProcess(program)
            output.closeWriting()
            return follow(child, output, until: stop)
        } catch {
            return .failed("\(error)")
        }
    }

    private func follow(
        _ child: ChildProcess, _ output: HookOutput, until stop: Cancellation
    ) -> HookAnswer {
        let end = ContinuousClock.now + .seconds(timeoutSeconds)
        while true {
            let ending = child.wait(timeoutSeconds: Self.lookSeconds)
            output.read()
            if let ending { return answer(ending, output) }
            if stop.isCancelled {
                _ = child.end(graceSeconds: Self.graceSeconds)
                return .stopped
            }
            if ContinuousClock.now >= end {
                _ = child.end(graceSeconds: Self.graceSeconds)
                output.read()
                return .failed("it did not end in its time\(output.quoted)")
            }
        }
    }

    private func answer(_ ending: ChildProcess.Ending, _ output: HookOutput) -> HookAnswer {
        switch ending {
        case .exited(0): .delivered
        case .exited(let code): .failed("it ended with \(code)\(output.quoted)")
        case .signalled(let signal): .failed("signal \(signal) ended it\(output.quoted)")
        }
    }

    /// What the event says, for programs that read no JSON.
    private static func variables(_ event: HookEvent) -> [String: String] {
        [
            "TAKEUP_HOOK_EVENT": event.type, "TAKEUP_HOOK_ID": event.id,
            "TAKEUP_HOOK_SOURCE": event.source, "TAKEUP_HOOK_JOB": event.job ?? "",
            "TAKEUP_HOOK_OUTPUT": event.output?.path ?? "",
            "TAKEUP_HOOK_ERROR": event.fault?.message ?? "",
        ]
    }

    /// Why the program cannot be started; nil when it can, as far as one look tells.
    package var fault: String? {
        guard let path = programPath else {
            return "there is no program \(words.first ?? "") in PATH"
        }
        guard access(path, X_OK) == 0 else {
            return "its program \(path) cannot be run: \(String(cString: strerror(errno)))"
        }
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        return isFolder.boolValue ? "its program \(path) is a folder" : nil
    }

    private var programPath: String? {
        guard let name = words.first else { return nil }
        if name.utf8.contains(UInt8(ascii: "/")) { return name }
        let folders = (environment["PATH"] ?? Self.defaultPath).split(separator: ":")
        return folders.lazy.filter { $0.utf8.first == UInt8(ascii: "/") }.map { "\($0)/\(name)" }
            .first {
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder)
                    && !isFolder.boolValue && access($0, X_OK) == 0
            }
    }
}
