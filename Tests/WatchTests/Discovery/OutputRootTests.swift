import Foundation
import TestSupport
import Testing

@testable import TakeupWatch

@Suite("Output root")
struct OutputRootTests {
    @Test(
        "a folder that was never there is made, and one that was removed from its disk is made again"
    )
    func made() throws {
        let folder = try TemporaryDirectory()
        var root = try OutputRoot(folder.file("a/b"), memory: nil)
        #expect(root.absence == nil && access(folder.file("a"), F_OK) != 0)
        #expect(root.look() == nil)
        let memory = try #require(root.memory)
        try FileManager.default.removeItem(atPath: folder.file("a"))
        var later = try OutputRoot(folder.file("a/b"), memory: memory)
        #expect(later.look() == nil)
        #expect(access(folder.file("a/b"), F_OK) == 0)
    }

    @Test("where its disk is missing nothing is made, and what lies there is not taken for it")
    func missing() throws {
        let folder = try TemporaryDirectory()
        var now = try OutputRoot(folder.path, memory: nil)
        #expect(now.look() == nil)
        let levels = try #require(now.memory?.levelsBelowMount)
        // As if a disk had been mounted at the folder, or right above it.
        for before in 0..<min(levels, 2) {
            let memory = RootMemory(device: -7, inode: 2, levelsBelowMount: before)
            var root = try OutputRoot(folder.path, memory: memory)
            #expect(root.absence != nil && root.look() != nil)
            var below = try OutputRoot(folder.file("out"), memory: memory)
            #expect(below.absence != nil && below.look() != nil)
            #expect(access(folder.file("out"), F_OK) != 0)
            #expect(below.memory == memory)
        }
    }
}
