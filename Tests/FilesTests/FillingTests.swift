import Foundation
import TestSupport
import Testing

@testable import TakeupFiles

@Suite("File contents")
struct FillingTests: ~Copyable {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func descriptor(_ path: String) throws -> Int32 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        return try #require(descriptor >= 0 ? descriptor : nil)
    }

    private func blocks(_ descriptor: Int32) -> Int {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 ? Int(facts.st_blocks) * 512 : -1
    }

    @Test(
        "a file takes another one's bytes, whatever it held before", arguments: [0, 1, 3_000_001])
    func fills(count: Int) throws {
        let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let source = try descriptor(folder.write(bytes, to: "source"))
        defer { close(source) }
        let partial = try PartialFile(for: folder.file("copy"), mode: 0o600)
        try partial.write(Array(repeating: 7, count: 10))
        #expect(try partial.fill(from: source) != nil)
        _ = try partial.publish(.fail)
        #expect(try Data(contentsOf: URL(filePath: folder.file("copy"))) == bytes)
    }

    @Test("bytes come by reading and writing too, and from a file system of the kernel's own")
    func copies() throws {
        let bytes = Data(repeating: 9, count: 1_500_000)
        let source = try descriptor(folder.write(bytes, to: "source"))
        let facts = try descriptor("/proc/self/status")
        defer {
            close(source)
            close(facts)
        }
        let partial = try PartialFile(for: folder.file("copy"))
        #expect(try partial.copyAll(from: source, to: partial.descriptor))
        #expect(try Data(contentsOf: URL(filePath: partial.path)) == bytes)
        #expect(try partial.fill(from: facts) == .copy)
        #expect(partial.byteCount > 100)
    }

    @Test("a filling that is stopped says so")
    func stopsFilling() throws {
        let source = try descriptor(folder.write(Data([1]), to: "source"))
        defer { close(source) }
        let partial = try PartialFile(for: folder.file("copy"))
        let filling = try partial.fill(from: source) { true }
        #expect(filling == nil || filling == .reflink)
    }

    @Test("room is set aside, keeps the length as it is and is given back")
    func reserves() throws {
        let partial = try PartialFile(for: folder.file("clip"))
        guard try partial.reserve(8 << 20) else { return }
        #expect(blocks(partial.descriptor) >= 8 << 20)
        #expect(partial.byteCount == 0)
        try partial.write([1, 2, 3])
        try partial.releaseReserve()
        #expect(partial.byteCount == 3)
        #expect(blocks(partial.descriptor) < 1 << 20)
    }

    @Test("more room than there is is a full disk")
    func reservesTooMuch() throws {
        let partial = try PartialFile(for: folder.file("clip"))
        guard try partial.reserve(1) else { return }
        let free = try FreeSpace.bytes(at: folder.file("."))
        #expect(free > 0)
        let error = #expect(throws: FileError.self) { try partial.reserve(free + (1 << 44)) }
        guard case .diskFull = error else {
            #expect(error == .failed(folder.file("clip"), errno: EFBIG))
            return
        }
    }

    @Test("space of a path that is not there is an error")
    func noSpace() {
        #expect(throws: FileError.failed("/missing/path", errno: ENOENT)) {
            try FreeSpace.bytes(at: "/missing/path")
        }
    }

    @Test("a file can be private, and have another name than it was made for")
    func modeAndName() throws {
        let partial = try PartialFile(for: folder.file("staged"), mode: 0o600)
        let path = folder.file("object")
        #expect(try partial.publish(.fail, at: path).path == path)
        var facts = stat()
        try #require(stat(path, &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o600)
        #expect(try folder.names() == ["object"])
    }

    @Test("a further name leads to the same file")
    func links() throws {
        let source = try descriptor(folder.write(Data("new".utf8), to: "object"))
        defer { close(source) }
        let path = try folder.write(Data("old".utf8), to: "clip.mp4")
        #expect(throws: FileError.exists(path)) { try HardLink.publish(source, at: path, .fail) }
        #expect(
            try HardLink.publish(source, at: path, .unique)?.path == folder.file("clip-1.mp4"))
        #expect(try HardLink.publish(source, at: path, .replace)?.path == path)
        #expect(try HardLink.publish(source, at: path, .replace)?.path == path)
        #expect(try folder.names() == ["clip-1.mp4", "clip.mp4", "object"])
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
        #expect(try HardLink.publish(source, at: "/dev/shm/takeup-\(getpid())", .fail) == nil)
    }

    @Test("shared locks stand together, an exclusive one alone")
    func locks() throws {
        let path = try folder.write(Data(), to: "object")
        let (first, second) = (try descriptor(path), try descriptor(path))
        defer { close(second) }
        #expect(try FileLock.acquire(.shared, on: first))
        #expect(try FileLock.acquire(.shared, on: second))
        #expect(try !FileLock.acquire(.exclusive, on: second))
        FileLock.release(second)
        #expect(try !FileLock.acquire(.exclusive, on: second))
        close(first)
        #expect(try FileLock.acquire(.exclusive, on: second))
        #expect(throws: FileError.failed("a lock", errno: EBADF)) {
            try FileLock.acquire(.shared, on: -1)
        }
    }
}
