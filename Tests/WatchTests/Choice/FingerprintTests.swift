import Foundation
import TestSupport
import Testing

@testable import TakeupWatch

@Suite("Fingerprint")
struct FingerprintTests {
    private func fingerprint(_ path: String) throws -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        return try Fingerprint.ofFile(file, path: path)
    }

    @Test("is the same for the same content, whatever its name and times")
    func same() throws {
        let folder = try TemporaryDirectory()
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let one = try fingerprint(folder.write(content, to: "one.mov"))
        let two = try fingerprint(folder.write(content, to: "two.mov"))
        #expect(one == two)
        let digits = try #require(one)
        #expect(digits.count == 64)
        #expect(digits.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        let empty = try fingerprint(folder.write(Data(), to: "empty.mov"))
        #expect(empty != nil && empty != one)
    }

    @Test("any byte of a small file changes it")
    func small() throws {
        let folder = try TemporaryDirectory()
        var seen: Set<String?> = []
        for place in [0, 1_048_575, 1_048_576, 2_000_000, 2_621_439] {
            var content = Data(count: 2_621_440)
            content[place] = 1
            seen.insert(try fingerprint(folder.write(content, to: "clip.mov")))
        }
        #expect(seen.count == 5)
        #expect(!seen.contains(nil))
    }

    @Test("of a large file, size, both ends and eight places between change it")
    func large() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("clip.mov")
        let size: Int64 = 64 << 20
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(truncate(path, off_t(size)) == 0)
        var seen: Set<String?> = [try fingerprint(path)]
        let parts = Fingerprint.parts(of: size)
        #expect(parts.count == 10)
        for part in parts {
            try Self.put(1, at: part.upperBound - 1, in: path)
            seen.insert(try fingerprint(path))
        }
        #expect(seen.count == 11)
        // What lies between is not read: this is what the name of the thing promises.
        let before = try fingerprint(path)
        try Self.put(1, at: parts[1].upperBound + 10, in: path)
        #expect(try fingerprint(path) == before)
        #expect(truncate(path, off_t(size + 1)) == 0)
        #expect(try fingerprint(path) != before)
    }

    @Test(
        "the parts lie in order, apart and inside",
        arguments: [0, 1, 1 << 20, 2_621_440, 2_621_441, 1 << 40])
    func parts(bytes: Int64) {
        let parts = Fingerprint.parts(of: bytes)
        #expect(parts.first?.lowerBound ?? 0 == 0)
        #expect(parts.last?.upperBound ?? 0 == bytes)
        for (one, two) in zip(parts, parts.dropFirst()) {
            #expect(one.upperBound <= two.lowerBound)
        }
        let read = parts.reduce(0) { $0 + $1.count }
        #expect(read == min(Int(bytes), 2_621_440))
    }

    @Test("a folder has none, and what cannot be read fails")
    func fails() throws {
        let folder = try TemporaryDirectory()
        #expect(try fingerprint(folder.path) == nil)
        let path = try folder.write(Data([1]), to: "clip.mov")
        let file = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        #expect(throws: WatchError.failed(path: path, errno: EBADF)) {
            try Fingerprint.ofFile(file, path: path)
        }
    }

    private static func put(_ byte: UInt8, at place: Int64, in path: String) throws {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        var byte = byte
        try #require(pwrite(file, &byte, 1, off_t(place)) == 1)
    }
}
