import Foundation
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFFmpeg

@Suite("Files that are opened when they are read")
struct LateFileSourceTests {
    private func files(_ count: Int, in directory: borrowing TemporaryDirectory) throws -> [String]
    {
        var paths: [String] = []
        for number in 0..<count {
            paths.append(try directory.write(Data("file \(number)".utf8), to: "\(number)"))
        }
        return paths
    }

    private func text(_ source: LateFileSource) throws -> String {
        var bytes = [UInt8](repeating: 0, count: 20)
        let count = try source.bytes(at: 0, into: &bytes)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    @Test("no more are open than permitted, and the one that was read last stays open")
    func bounded() throws {
        let directory = try TemporaryDirectory()
        let limit = OpenFiles(3)
        let opened = Locked<[String]>([])
        let sources = try files(10, in: directory).map { path in
            LateFileSource(name: path, byteCount: 6, limit: limit) { () throws(FFmpegError) in
                opened.withLock { $0.append(path) }
                return open(path, O_RDONLY)
            }
        }
        for (place, source) in sources.enumerated() {
            #expect(try text(source) == "file \(place)")
            #expect(try text(sources[0]) == "file 0")
            #expect(limit.count <= 3)
        }
        #expect(opened.withLock { $0.count } == 10)
        #expect(try text(sources[1]) == "file 1")
        #expect(opened.withLock { $0.count } == 11)
        #expect(sources[0].bytesRead == 66)
    }

    @Test("a source that ends gives its place back")
    func ends() throws {
        let directory = try TemporaryDirectory()
        let limit = OpenFiles(3)
        let path = try files(1, in: directory)[0]
        do {
            let source = try LateFileSource(path: path, limit: limit)
            #expect(limit.count == 0)
            #expect(try text(source) == "file 0")
            #expect(limit.count == 1)
        }
        #expect(limit.count == 0)
    }

    @Test("another content under the same path is an error, not other bytes")
    func replaced() throws {
        let directory = try TemporaryDirectory()
        let limit = OpenFiles(1)
        let paths = try files(2, in: directory)
        let sources = try paths.map { try LateFileSource(path: $0, limit: limit) }
        #expect(try text(sources[0]) == "file 0")
        #expect(try text(sources[1]) == "file 1")
        try FileManager.default.removeItem(atPath: paths[0])
        _ = try directory.write(Data("other!".utf8), to: "0")
        let error = #expect(throws: FFmpegError.self) { try text(sources[0]) }
        #expect(error?.operation == .read && error?.status.rawValue == -ESTALE)
        #expect(throws: FFmpegError.self) {
            try LateFileSource(path: directory.file("none"), limit: limit)
        }
        #expect(throws: FFmpegError.self) {
            try LateFileSource(path: directory.file("."), limit: limit)
        }
    }
}
