import Foundation
import TakeupProcess
import TestSupport
import Testing

@Suite("ChildProcess")
final class ChildProcessTests {
    private let folder: TemporaryDirectory
    private let log: Int32

    init() throws {
        folder = try TemporaryDirectory()
        let log = open(folder.file("log"), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        self.log = try #require(log >= 0 ? log : nil)
    }

    deinit {
        close(log)
    }

    private func shell(_ script: String) -> ChildProcess.Program {
        var program = ChildProcess.Program(path: "/bin/sh", log: log)
        program.arguments = ["-c", script]
        return program
    }

    private func said() throws -> String {
        try String(contentsOfFile: folder.file("log"), encoding: .utf8)
    }

    @Test("says how it ended, as often as it is asked")
    func endings() throws {
        let exited = try ChildProcess(shell("exit 7"))
        #expect(exited.wait(timeoutSeconds: 120) == .exited(7))
        #expect(exited.wait() == .exited(7))
        #expect(exited.residentBytes == 0)
        let killed = try ChildProcess(shell("kill -SEGV $$"))
        #expect(killed.wait(timeoutSeconds: 120) == .signalled(SIGSEGV))
    }

    @Test("gets the environment and the open files that it is handed, and no others")
    func handed() throws {
        let other = open("/dev/zero", O_RDONLY)
        defer { close(other) }
        let file = open(try folder.write(Data("handed".utf8), to: "file"), O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var program = shell(
            "cat <&3; cat <&4; ls /proc/self/fd | tr '\\n' ' '; echo \"$A\" >&2; env")
        program.descriptors = [file, log]
        program.environment = ["A": "b c"]
        let child = try ChildProcess(program)
        #expect(child.wait(timeoutSeconds: 120) != nil)
        let text = try said()
        #expect(text.hasPrefix("handed"))
        // 3 and 4 are handed over, 5 is the folder that `ls` reads.
        #expect(text.contains("0 1 2 3 4 5 "))
        #expect(text.contains("b c\n") && !text.contains("HOME="))
    }

    @Test("reads what it is handed as its input")
    func input() throws {
        let file = open(try folder.write(Data("asked".utf8), to: "file"), O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var program = shell("cat; ls /proc/self/fd | tr '\\n' ' '")
        (program.input, program.descriptors) = (file, [log])
        #expect(try ChildProcess(program).wait(timeoutSeconds: 120) == .exited(0))
        #expect(try said().hasPrefix("asked"))
        #expect(try said().contains("0 1 2 3 4 "))
    }

    @Test("may end by itself when it is asked to")
    func asked() throws {
        let child = try ChildProcess(
            shell("trap 'echo ended; exit 3' TERM; echo started; while :; do sleep 0.05; done"))
        while try said().isEmpty { #expect(child.wait(timeoutSeconds: 0.01) == nil) }
        #expect(child.end(graceSeconds: 60) == .exited(3))
        #expect(try said().hasSuffix("ended\n"))
        #expect(child.end(graceSeconds: 60) == .exited(3))
    }

    @Test("is ended by force when it does not listen, with what outlives it")
    func unwilling() throws {
        let (child, socket) = try family(
            "(trap '' TERM; echo started; while :; do sleep 1; done) & trap 'exit 0' TERM; wait")
        #expect(child.end(graceSeconds: 0.2) != nil)
        guard case .end = try socket.receive(timeoutSeconds: 10) else {
            Issue.record("something holds the socket still")
            return
        }
    }

    /// A child that has started another one; the end of the socket is the end of both.
    private func family(
        _ script: String = "sleep 600 & echo started; wait"
    ) throws -> (ChildProcess, MessageSocket) {
        let (socket, childSocket) = try MessageSocket.pair()
        var program = shell(script)
        program.descriptors = [childSocket.descriptor]
        let child = try ChildProcess(program)
        while try said().isEmpty { #expect(child.wait(timeoutSeconds: 0.01) == nil) }
        return (child, socket)
    }

    @Test("is killed with everything that it has started")
    func group() throws {
        let (child, socket) = try family()
        #expect(child.residentBytes > 0)
        child.kill()
        #expect(child.wait(timeoutSeconds: 120) == .signalled(SIGKILL))
        guard case .end = try socket.receive(timeoutSeconds: 10) else {
            Issue.record("something holds the socket still")
            return
        }
    }

    @Test("ends with its object")
    func dropped() throws {
        var child: ChildProcess? = try ChildProcess(shell("sleep 600"))
        let pid = try #require(child?.pid)
        #expect(kill(pid, 0) == 0)
        child = nil
        #expect(kill(pid, 0) == -1 && errno == ESRCH)
    }

    @Test("a program that is not there is an error")
    func missing() {
        let error = #expect(throws: ProcessError.self) {
            try ChildProcess(ChildProcess.Program(path: "/missing/program", log: 2))
        }
        #expect(error?.errno == ENOENT)
    }
}
