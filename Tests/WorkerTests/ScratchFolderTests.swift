import Foundation
import TestSupport
import Testing

@testable import TakeupMediaClient

@Suite("Folders of helpers")
struct ScratchFolderTests {
    private func names(_ folder: borrowing TemporaryDirectory) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func age(_ path: String) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: path)
    }

    @Test("a folder goes with its object, and what a killed process left goes with the next")
    func sweeps() throws {
        let parent = try TemporaryDirectory()
        let left = parent.file(".takeup-helper-killed")
        let other = parent.file("other")
        for path in [left, other] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }
        try Data("log".utf8).write(to: URL(filePath: left + "/statistics"))
        try age(left)
        var first: ScratchFolder? = try ScratchFolder(in: parent.path)
        let path = try #require(first?.path)
        try age(path)
        let second = try ScratchFolder(in: parent.path)
        // The one that is held stays, however old it is.
        #expect(try names(parent).count == 3 && !FileManager.default.fileExists(atPath: left))
        #expect(FileManager.default.fileExists(atPath: path))
        first = nil
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(FileManager.default.fileExists(atPath: second.path))
    }

    @Test("a folder that was just made may belong to a process that has not locked it yet")
    func young() throws {
        let parent = try TemporaryDirectory()
        let young = parent.file(".takeup-helper-young")
        try FileManager.default.createDirectory(atPath: young, withIntermediateDirectories: true)
        _ = try ScratchFolder(in: parent.path)
        #expect(FileManager.default.fileExists(atPath: young))
    }
}
