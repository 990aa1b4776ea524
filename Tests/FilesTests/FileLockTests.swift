import Foundation
import TestSupport
import Testing

@testable import TakeupFiles

@Suite("File lock")
struct FileLockTests {
    private func opened(_ path: String) throws -> Int32 {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        return file
    }

    @Test("a wait ends at its deadline, and at once when the lock is free")
    func deadline() throws {
        let folder = try TemporaryDirectory()
        let (one, other) = (try opened(folder.file("x")), try opened(folder.file("x")))
        defer { for file in [one, other] { close(file) } }
        try FileLock.wait(for: .shared, on: one)
        try FileLock.wait(for: .shared, on: other, seconds: 0)
        #expect(throws: FileError.failed("a lock", errno: EWOULDBLOCK)) {
            try FileLock.wait(for: .exclusive, on: one, seconds: 0.01)
        }
        FileLock.release(other)
        try FileLock.wait(for: .exclusive, on: one, seconds: 0)
    }
}
