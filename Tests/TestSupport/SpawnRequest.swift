import Foundation

/// What a child process is started with: its streams are two pipes and no input.
struct SpawnRequest: CustomStringConvertible {
    /// A started child and the reading ends of its pipes, which the caller closes.
    struct Child {
        let pid: pid_t
        let output: Int32
        let errors: Int32
    }

    // A pipe's ends are marked close-on-exec a moment after they exist. No other child may start
    // in between: it would hold the writing end, and the reader would wait for it too.
    private static let launching = NSLock()

    let program: String
    let arguments: [String]
    let environment: [String: String]
    let directory: String?

    var description: String {
        ([program] + arguments).joined(separator: " ")
    }

    func start() throws(ToolFailure) -> Child {
        Self.launching.lock()
        defer { Self.launching.unlock() }
        let output = try Self.makePipe()
        let errors: (reading: Int32, writing: Int32)
        do {
            errors = try Self.makePipe()
        } catch {
            close(output.reading)
            close(output.writing)
            throw error
        }
        defer {
            close(output.writing)
            close(errors.writing)
        }
        var pid: pid_t = 0
        let status = spawn(&pid, output: output.writing, errors: errors.writing)
        guard status == 0 else {
            close(output.reading)
            close(errors.reading)
            throw ToolFailure("\(program) does not start: \(String(cString: strerror(status)))")
        }
        return Child(pid: pid, output: output.reading, errors: errors.reading)
    }

    private func spawn(_ pid: inout pid_t, output: Int32, errors: Int32) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Signals that a test runner blocks or ignores would otherwise be so in the child too.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let variables = ProcessInfo.processInfo.environment
            .merging(environment) { _, new in new }
            .map { "\($0)=\($1)" }
        // Swift does not see the call that changes the directory of a spawned child; `env` has it.
        let command = (directory.map { ["env", "-C", $0] } ?? []) + [program] + arguments
        var argumentPointers = command.map { strdup($0) } + [nil]
        var variablePointers = variables.map { strdup($0) } + [nil]
        defer {
            for pointer in argumentPointers + variablePointers { free(pointer) }
        }
        return posix_spawnp(
            &pid, command[0], &actions, &attributes, &argumentPointers, &variablePointers)
    }

    private static func makePipe() throws(ToolFailure) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw ToolFailure("no pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
