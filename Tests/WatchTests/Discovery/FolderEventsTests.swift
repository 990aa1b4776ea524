import Foundation
import TestSupport
import Testing

@testable import TakeupWatch

@Suite("Folder events")
struct FolderEventsTests {
    /// Arms all folders below a path, as a watcher does.
    private func arm(_ events: FolderEvents, _ path: String, below folder: String = "") throws {
        var root = try WatchRoot(path)
        let open = try root.open()
        _ = ScanReport(TreeScan(root: open.descriptor), below: folder) { finding in
            guard case .folder(let path, let descriptor, _) = finding else { return }
            #expect(throws: Never.self) { try events.arm(path, descriptor: descriptor) }
        }
    }

    /// Foundation would write under other names first.
    private func writeAll(_ names: [String], in folder: borrowing TemporaryDirectory) throws {
        for name in names {
            let file = Foundation.open(folder.file(name), O_WRONLY | O_CREAT, 0o600)
            try #require(file >= 0 && write(file, [1], 1) == 1)
            close(file)
        }
    }

    private func make(_ folders: [String], in folder: borrowing TemporaryDirectory) throws {
        for name in folders { try #require(mkdir(folder.file(name), 0o700) == 0) }
    }

    @Test("tells each file of a burst once, closed")
    func burst() throws {
        let folder = try TemporaryDirectory()
        try make(["d"], in: folder)
        let events = try FolderEvents()
        try arm(events, folder.path)
        let names = (100..<400).map { "d/\($0).mkv" }
        try writeAll(names, in: folder)
        let hints = try events.wait(seconds: 0)
        #expect(hints.changes == names.map { .init(path: $0, isClosed: true) })
        #expect(hints.folders.isEmpty && !hints.hasOverflowed)
        #expect(try events.wait(seconds: 0).isEmpty)
    }

    @Test("a file that is still being written is not closed")
    func open() throws {
        let folder = try TemporaryDirectory()
        let events = try FolderEvents()
        try arm(events, folder.path)
        let file = Foundation.open(folder.file("a"), O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0 && write(file, [1], 1) == 1)
        #expect(try events.wait(seconds: 0).changes == [.init(path: "a", isClosed: false)])
        #expect(write(file, [1], 1) == 1)
        #expect(try events.wait(seconds: 0).isEmpty)
        close(file)
        #expect(try events.wait(seconds: 0).changes == [.init(path: "a", isClosed: true)])
    }

    @Test("a file that is renamed inside has gone there and come here whole")
    func renames() throws {
        let folder = try TemporaryDirectory()
        try make(["d"], in: folder)
        try writeAll(["a.part"], in: folder)
        let events = try FolderEvents()
        try arm(events, folder.path)
        try #require(rename(folder.file("a.part"), folder.file("d/a.mkv")) == 0)
        let hints = try events.wait(seconds: 0)
        #expect(
            hints.changes == [
                .init(path: "a.part", isClosed: false), .init(path: "d/a.mkv", isClosed: true),
            ])
    }

    @Test("a folder that is renamed is scanned anew, and its children are heard under the new name")
    func movesFolder() throws {
        let folder = try TemporaryDirectory()
        try make(["d", "d/e"], in: folder)
        let events = try FolderEvents()
        try arm(events, folder.path)
        try #require(rename(folder.file("d"), folder.file("f")) == 0)
        let hints = try events.wait(seconds: 0)
        #expect(hints.folders == ["f"] && hints.goneFolders == ["d"])
        #expect(events.armedFolders == 1)
        try writeAll(["f/e/unheard"], in: folder)
        try arm(events, folder.path, below: "f")
        #expect(events.armedFolders == 3)
        try writeAll(["f/e/x"], in: folder)
        #expect(try closed(events) == [.init(path: "f/e/x", isClosed: true)])
    }

    /// The changes up to the one that says that a file was closed: the system may say so late, while another thread
    /// starts a program.
    private func closed(_ events: FolderEvents) throws -> [FolderHints.Change] {
        var changes: [FolderHints.Change] = []
        for _ in 0..<100 where !changes.contains(where: \.isClosed) {
            changes = try events.wait(seconds: 0.1).changes
        }
        return changes
    }

    @Test("a scan that meets a moved folder before its event is read keeps it armed")
    func scansFirst() throws {
        let folder = try TemporaryDirectory()
        try make(["d", "d/e"], in: folder)
        let events = try FolderEvents()
        try arm(events, folder.path)
        try #require(rename(folder.file("d"), folder.file("f")) == 0)
        try arm(events, folder.path)
        _ = try events.wait(seconds: 0)
        try writeAll(["f/e/x"], in: folder)
        #expect(try closed(events) == [.init(path: "f/e/x", isClosed: true)])
    }

    @Test("new folders are to be scanned, removed ones are forgotten")
    func comesAndGoes() throws {
        let folder = try TemporaryDirectory()
        try make(["d"], in: folder)
        let events = try FolderEvents()
        try arm(events, folder.path)
        try make(["n", "n/m"], in: folder)
        #expect(try events.wait(seconds: 0).folders == ["n"])
        try #require(rmdir(folder.file("d")) == 0)
        #expect(try events.wait(seconds: 0).goneFolders == ["d"])
        #expect(events.armedFolders == 1)
    }

    @Test("a hard link and changed rights are heard, reading is not")
    func quiet() throws {
        let folder = try TemporaryDirectory()
        try writeAll(["a"], in: folder)
        let events = try FolderEvents()
        try arm(events, folder.path)
        _ = try Data(contentsOf: URL(fileURLWithPath: folder.file("a")))
        #expect(try events.wait(seconds: 0).isEmpty)
        try #require(chmod(folder.file("a"), 0o644) == 0)
        #expect(try events.wait(seconds: 0).changes == [.init(path: "a", isClosed: false)])
        try #require(link(folder.file("a"), folder.file("b")) == 0)
        #expect(try events.wait(seconds: 0).changes.map(\.path).contains("b"))
    }

    @Test("odd names are heard as they are, those that are not UTF-8 not at all")
    func names() throws {
        let folder = try TemporaryDirectory()
        let events = try FolderEvents()
        try arm(events, folder.path)
        let odd = ["\n", "'\"", "-x", "🎬", String(repeating: "n", count: 255)]
        try writeAll(odd, in: folder)
        let bytes = Array(folder.file("a").utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
        close(Foundation.open(bytes, O_WRONLY | O_CREAT, 0o600))
        #expect(try Set(events.wait(seconds: 0).changes.map(\.path)) == Set(odd))
    }

    @Test("says when the root is moved or removed", arguments: [true, false])
    func rootGoes(isMoved: Bool) throws {
        let folder = try TemporaryDirectory()
        try make(["in"], in: folder)
        let events = try FolderEvents()
        try arm(events, folder.file("in"))
        let path = folder.file("in")
        try #require((isMoved ? rename(path, folder.file("out")) : rmdir(path)) == 0)
        #expect(try events.wait(seconds: 0).rootHasGone)
    }

    @Test("more names than are kept become a scan")
    func bounded() throws {
        let folder = try TemporaryDirectory()
        try make(["d"], in: folder)
        let events = try FolderEvents(collecting: HintCollector(mostNames: 5, mostHints: 50))
        try arm(events, folder.path)
        try writeAll((0..<20).map { "d/\($0)" }, in: folder)
        let hints = try events.wait(seconds: 0)
        #expect(hints.folders == ["d"] && hints.changes.isEmpty)
    }

    @Test("lost events are told, and bytes that make no sense count as lost")
    func overflow() throws {
        let events = try FolderEvents()
        let lost = EventBytes.of(-1, .overflow).withUnsafeBytes { events.take($0) }
        let broken = EventBytes.of(1, .created).dropLast().withUnsafeBytes { events.take($0) }
        let unknown = EventBytes.of(99, .created, [0x61]).withUnsafeBytes { events.take($0) }
        #expect(!lost && !broken && unknown)
        #expect(try events.wait(seconds: 0).isEmpty)
    }

    @Test("forgetting all hears nothing, until folders are armed again")
    func forgets() throws {
        let folder = try TemporaryDirectory()
        let events = try FolderEvents()
        try arm(events, folder.path)
        try events.forgetAll()
        try writeAll(["a"], in: folder)
        #expect(try events.wait(seconds: 0).isEmpty)
        try arm(events, folder.path)
        try writeAll(["b"], in: folder)
        #expect(try events.wait(seconds: 0).changes.map(\.path) == ["b"])
    }

    @Test("a descriptor that is no folder cannot be armed")
    func noFolder() throws {
        let folder = try TemporaryDirectory()
        let file = Foundation.open(try folder.write(Data(), to: "a"), O_RDONLY)
        defer { close(file) }
        let events = try FolderEvents()
        #expect(throws: WatchError.failed(path: "a", errno: ENOTDIR)) {
            try events.arm("a", descriptor: file)
        }
    }
}
