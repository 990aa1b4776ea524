import Foundation
import TakeupFiles
import TestSupport
import Testing

@testable import TakeupWatch

@Suite("Writers")
struct WritersTests {
    @Test("a file that nobody writes has none, one that is open for writing has some")
    func tells() throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Data("x".utf8), to: "clip.mov")
        #expect(Self.isFree(path))
        let writer = open(path, O_WRONLY | O_CLOEXEC)
        #expect(Self.writers(of: path) == .some)
        close(writer)
        #expect(Self.isFree(path))
        let reader = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(reader) }
        #expect(Self.isFree(path))
    }

    @Test("a mapping that can be written counts when its descriptor is closed")
    func mapping() throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Data(count: 4096), to: "clip.mov")
        let writer = open(path, O_RDWR | O_CLOEXEC)
        let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, writer, 0)
        close(writer)
        #expect(memory != MAP_FAILED)
        #expect(Self.writers(of: path) == .some)
        munmap(memory, 4096)
        #expect(Self.isFree(path))
    }

    @Test("another process that writes is seen")
    func child() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("clip.mov")
        var child = try Subprocess(
            "sh", ["-c", "exec 3>'\(path)'; echo open; sleep 30 & wait"])
        let isOpen = child.waitForOutput(containing: "open")
        #expect(isOpen)
        #expect(Self.writers(of: path) == .some)
    }

    @Test("what is no regular file, or not there, is unknown")
    func unknown() throws {
        let folder = try TemporaryDirectory()
        #expect(Self.writers(of: folder.file("none.mov")) == .unknown)
        #expect(Self.writers(of: folder.path) == .unknown)
        let pipe = folder.file("pipe.mov")
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(Self.writers(of: pipe) == .unknown)
        let link = folder.file("link.mov")
        let target = try folder.write(Data("x".utf8), to: "clip.mov")
        #expect(symlink(target, link) == 0)
        #expect(Self.writers(of: link) == .unknown)
    }

    @Test("who opens the file meanwhile waits for a moment, and no signal ends this process")
    func conflict() throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Data("x".utf8), to: "clip.mov")
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        try #require(Self.isFree(path))
        let child = try Subprocess("sh", ["-c", "printf yz > '\(path)'"])
        var wasAwaited = false
        var answer = Writers.unknown
        // The child may have been quicker than the lease; then it is asked for with another one.
        answer = Writers.ofFile(file) { wasAwaited = Self.waits(for: file) }
        _ = try child.wait().requireSuccess()
        if !wasAwaited {
            let second = try Subprocess("sh", ["-c", "sleep 0.3; printf yz > '\(path)'"])
            answer = Writers.ofFile(file) { wasAwaited = Self.waits(for: file) }
            _ = try second.wait().requireSuccess()
        }
        #expect(wasAwaited)
        #expect(answer == .none)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "yz")
        #expect(Self.isFree(path))
    }

    @Test("without the choice of a signal, the same would end the process")
    func wouldEnd() async throws {
        await #expect(processExitsWith: .signal(SIGIO)) {
            let folder = try TemporaryDirectory()
            let path = try folder.write(Data("x".utf8), to: "clip.mov")
            let file = open(path, O_RDONLY | O_CLOEXEC)
            try #require(fcntl(file, 1024, Int32(F_RDLCK)) == 0)
            _ = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            usleep(1_000_000)
        }
    }

    private static func writers(of path: String) -> Writers {
        let url = URL(fileURLWithPath: path)
        return Writers.ofFile(
            at: url.lastPathComponent, below: url.deletingLastPathComponent().path)
    }

    /// Polls until nobody writes to the file, for five seconds at most.
    ///
    /// Other tests start children, which have a copy of every descriptor until their program begins.
    private static func isFree(_ path: String) -> Bool {
        for _ in 0..<500 {
            if writers(of: path) == .none { return true }
            usleep(10_000)
        }
        return false
    }

    /// Polls until somebody waits for the lease, for five seconds at most.
    private static func waits(for file: Int32) -> Bool {
        for _ in 0..<500 {
            if Writers.isAwaited(file) { return true }
            usleep(10_000)
        }
        return false
    }
}
