import Foundation
import TakeupProcess
import TestSupport
import Testing

@Suite("The process that works on media for a command")
struct SealedCommandTests {
    /// A line of a process's status, such as that of `Seccomp`.
    private func status(_ pid: Int32, _ name: String) -> String? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return line?.split(separator: "\t").last.map(String.init)
    }

    private func children(of pid: Int32) -> [Int32] {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return folders.compactMap { Int32($0) }.filter { status($0, "PPid") == "\(pid)" }
    }

    private func program(_ pid: Int32) -> String? {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
        return link?.split(separator: "/").last.map(String.init)
    }

    /// Files that a process has open below a folder.
    private func files(of pid: Int32, below folder: String) -> [String] {
        let place = "/proc/\(pid)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        return names.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(place)/\($0)")
        }.filter { $0.hasPrefix(folder) }
    }

    private func until<Value>(_ body: () -> Value?) -> Value? {
        for _ in 0..<1200 {
            if let value = body() { return value }
            usleep(50_000)
        }
        return nil
    }

    /// Every command that opens media hangs in its helper here, before anything is read.
    @Test(
        "has no privileges to gain and a filter of system calls before it gets a file",
        arguments: [
            ["probe", "takeup-fault:hang"], ["verify", "takeup-fault:hang"],
            ["presets", "for", "takeup-fault:hang"],
            ["export", "takeup-fault:hang", "-o", "out.mp4"],
            ["export", "takeup-fault:hang", "-o", "out.mp4", "--poster", "out.jpg"],
            ["export", "takeup-fault:hang", "-o", "out.mp4", "--dry-run"],
            ["batch", "list.json", "--dry-run"], ["batch", "list.json"],
        ])
    func sealed(arguments: [String]) throws {
        guard Sandbox.available().isWhole else { return }
        let folder = try TemporaryDirectory()
        let real = try #require(folder.path.withCString { realpath($0, nil) })
        defer { free(real) }
        try Clip.base(seconds: 1).bytes().write(
            to: URL(filePath: folder.file("takeup-fault:hang")))
        try folder.write(
            Data(#"[{"source": "takeup-fault:hang"}]"#.utf8), to: "list.json")
        let command = try Subprocess(
            BuiltProduct.path(of: "takeup"),
            arguments + ["--home", folder.file("home"), "--cache", folder.file("cache")],
            environment: ["TAKEUP_HELPER_FAULTS": "1", "TAKEUP_HELPER_STALL": "600"],
            directory: folder.path)
        // It is looked for until it has the file: by then it must be sealed.
        let media = until {
            children(of: command.pid).first {
                program($0) == "takeup-media"
                    && !files(of: $0, below: String(cString: real)).isEmpty
            }
        }
        let pid = try #require(media)
        #expect(status(pid, "NoNewPrivs") == "1")
        #expect(status(pid, "Seccomp") == "2")
        #expect(status(pid, "CapEff") == "0000000000000000")
        kill(command.pid, SIGKILL)
        #expect(until { program(pid) == nil ? true : nil } == true)
    }
}
