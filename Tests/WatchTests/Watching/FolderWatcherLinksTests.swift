import Foundation
import TakeupFiles
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupWatch

@Suite("Folder watcher and links")
struct FolderWatcherLinksTests {
    private static let modes: [WatchMode.Setting] = [.events, .polling]

    @Test(
        "a folder that becomes a link while its files are waited for leads nowhere",
        arguments: modes)
    func swapped(mode: WatchMode.Setting) throws {
        let bench = try WatchBench { $0.mode = mode }
        let outside = bench.directory
        try outside.own.write(Data("secret".utf8), to: "secret/s.mov")
        try outside.own.write(Data("secret".utf8), to: "secret/t/s.mov")
        for path in ["a/s.mov", "b/t/s.mov"] { try bench.write(path, "") }
        try bench.pass(15)
        for name in ["a", "b"] {
            try FileManager.default.removeItem(atPath: "\(bench.folder)/\(name)")
            #expect(symlink(outside.own.file("secret"), "\(bench.folder)/\(name)") == 0)
        }
        try bench.pass(1000)
        #expect(bench.handed.withLock { $0 } == [])
        #expect(bench.watcher.waitingFiles == 0 && bench.watcher.stuckFiles == 0)
    }

    @Test("neither a mark nor names are seen behind a link")
    func marks() throws {
        let directory = try TemporaryDirectory()
        try directory.write(Data("secret".utf8), to: "secret/s.mov")
        try directory.write(Data("own".utf8), to: "in/s.mov")
        #expect(symlink(directory.file("secret"), directory.file("in/a")) == 0)
        let root = open(directory.file("in"), O_RDONLY | O_DIRECTORY)
        defer { close(root) }
        #expect(try FileMark.of("a/s.mov", in: root) == nil)
        #expect(try FileMark.of("a/s.mov", below: directory.file("in")) == nil)
        #expect(try FileMark.of("s.mov", below: directory.file("in"))?.identity.bytes == 3)
        #expect(try Folder.names(in: "a", of: root).isEmpty)
        #expect(Writers.ofFile(at: "a/s.mov", below: directory.file("in")) == .unknown)
    }

    @Test("a name that begins with a combining mark is found in its folder", arguments: modes)
    func combiningMark(mode: WatchMode.Setting) throws {
        let bench = try WatchBench { $0.mode = mode }
        try bench.pass(1)
        try bench.write("a/\u{301}x.mov", "one")
        try bench.write("a/\u{301}x.srt", "two")
        try bench.pass(30)
        #expect(bench.handed.withLock { $0 } == ["a/\u{301}x.mov"])
    }
}
