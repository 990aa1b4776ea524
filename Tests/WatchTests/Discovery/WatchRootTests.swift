import Foundation
import TestSupport
import Testing

@testable import TakeupWatch

@Suite("Watch root")
struct WatchRootTests {
    private func isUnavailable(_ root: inout WatchRoot) -> Bool {
        do throws(WatchError) {
            _ = try root.open()
            return false
        } catch {
            guard case .unavailable = error else { return false }
            return true
        }
    }

    @Test("remembers the folder that it opened, and knows it again after a restart")
    func same() throws {
        let folder = try TemporaryDirectory()
        var root = try WatchRoot(folder.path + "//")
        #expect(root.path == folder.path)
        #expect(root.memory == nil)
        let isAnother = try root.open().isAnother
        let memory = try #require(root.memory)
        let stored = try JSONEncoder().encode(memory)
        var later = try WatchRoot(
            folder.path, memory: JSONDecoder().decode(RootMemory.self, from: stored))
        let isAnotherLater = try later.open().isAnother
        #expect(!isAnother && !isAnotherLater)
    }

    @Test("a folder in another's place is another, once")
    func another() throws {
        let folder = try TemporaryDirectory()
        try #require(mkdir(folder.file("in"), 0o700) == 0)
        var root = try WatchRoot(folder.file("in"))
        _ = try root.open()
        try #require(rename(folder.file("in"), folder.file("old")) == 0)
        #expect(isUnavailable(&root))
        try #require(mkdir(folder.file("in"), 0o700) == 0)
        let first = try root.open().isAnother
        let second = try root.open().isAnother
        #expect(first && !second)
    }

    @Test("a file in the folder's place is not the folder")
    func file() throws {
        let folder = try TemporaryDirectory()
        var root = try WatchRoot(folder.write(Data(), to: "x"))
        #expect(isUnavailable(&root))
    }

    @Test("a disk that is missing is told from an empty folder, also when it lies above the folder")
    func notMounted() throws {
        let folder = try TemporaryDirectory()
        var now = try WatchRoot(folder.path)
        _ = try now.open()
        let levels = try #require(now.memory?.levelsBelowMount)
        for before in 0..<levels {
            let memory = RootMemory(device: -7, inode: 2, levelsBelowMount: before)
            var root = try WatchRoot(folder.path, memory: memory)
            #expect(isUnavailable(&root))
            #expect(root.memory == memory)
        }
    }

    @Test("another disk in the folder's place is another folder")
    func otherDisk() throws {
        let folder = try TemporaryDirectory()
        for levels in [1000, nil] {
            let memory = RootMemory(device: -7, inode: 2, levelsBelowMount: levels)
            var root = try WatchRoot(folder.path, memory: memory)
            let isAnother = try root.open().isAnother
            #expect(isAnother)
        }
    }

    @Test("a file system's topmost folder is a mount point")
    func mountPoint() throws {
        var root = try WatchRoot("/proc")
        _ = try root.open()
        #expect(root.memory?.levelsBelowMount == 0)
        var top = try WatchRoot("/")
        _ = try top.open()
        #expect(top.memory?.levelsBelowMount == 0)
    }

    @Test("without its anchor the folder does not count as there")
    func anchor() throws {
        let folder = try TemporaryDirectory()
        var root = try WatchRoot(folder.path, anchor: ".here")
        #expect(isUnavailable(&root))
        #expect(root.memory == nil)
        try folder.write(Data(), to: ".here")
        #expect(!isUnavailable(&root))
    }

    @Test("refuses paths that are none", arguments: ["", "in", "./in", "/a\0b"])
    func badPath(path: String) {
        #expect(throws: WatchError.self) { try WatchRoot(path) }
    }

    @Test("refuses anchors outside the folder", arguments: ["", "/x", "../x", "a/../../x", "a//b"])
    func badAnchor(anchor: String) {
        #expect(throws: WatchError.self) { try WatchRoot("/in", anchor: anchor) }
    }

    @Test(
        "errors of a disk or server that is away say that the folder is unavailable",
        arguments: [ENOENT, ENOTDIR, EIO, ESTALE, ENOTCONN, ETIMEDOUT, EHOSTDOWN])
    func absence(code: Int32) {
        guard case .unavailable = WatchRoot.error("/in", code) else {
            Issue.record("\(code)")
            return
        }
    }

    @Test("errors of a folder that is there are told", arguments: [EACCES, EMFILE, ELOOP])
    func presence(code: Int32) {
        #expect(WatchRoot.error("/in", code) == .failed(path: "/in", errno: code))
    }
}
