import Foundation
import TakeupFiles
import TestSupport
import Testing

@testable import TakeupWatch

@Suite("Tree scan")
struct TreeScanTests {
    private func root(_ folder: borrowing TemporaryDirectory) throws -> OpenRoot {
        var root = try WatchRoot(folder.path)
        return try root.open()
    }

    /// Foundation would bring each to the disk.
    private func write(_ bytes: Int = 1, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0 && ftruncate(file, off_t(bytes)) == 0)
        close(file)
    }

    @Test("finds some thousands of files, each once and with its size")
    func thousands() throws {
        let folder = try TemporaryDirectory()
        for outer in 0..<30 {
            try #require(mkdir(folder.file("d\(outer)"), 0o700) == 0)
            for file in 0..<100 { try write(file, to: folder.file("d\(outer)/\(file).mkv")) }
        }
        let root = try root(folder)
        var times = 0
        let report = ScanReport(TreeScan(root: root.descriptor)) { finding in
            if case .file = finding { times += 1 }
        }
        #expect(times == 3000 && report.files.count == 3000)
        #expect((report.result.files, report.result.folders) == (3000, 31))
        #expect(report.result.isWhole)
        #expect(report.files["d7/42.mkv"]?.identity.bytes == 42)
        #expect(report.files["d7/42.mkv"]?.links == 1)
        #expect(report.files["d7/42.mkv"]?.owner == getuid())
    }

    @Test("follows no link and opens no pipe, socket or device, and says why")
    func specials() throws {
        let folder = try TemporaryDirectory()
        try #require(mkdir(folder.file("d"), 0o700) == 0)
        try write(to: folder.file("d/a.mkv"))
        try #require(symlink("..", folder.file("d/up")) == 0)
        try #require(symlink("self", folder.file("self")) == 0)
        try #require(symlink("d/a.mkv", folder.file("b.mkv")) == 0)
        try #require(mkfifo(folder.file("pipe.mkv"), 0o600) == 0)
        try bindSocket(folder.file("s.mkv"))
        let root = try root(folder)
        let report = ScanReport(TreeScan(root: root.descriptor))
        #expect(report.files.keys.sorted() == ["d/a.mkv"])
        #expect(
            report.passedOver == [
                "d/up": .link, "self": .link, "b.mkv": .link, "pipe.mkv": .pipe, "s.mkv": .socket,
            ])
        #expect(report.result.isWhole)
    }

    /// The path of a socket is at most 107 bytes long: it is bound by a short one through the open folder.
    private func bindSocket(_ path: String) throws {
        let url = URL(fileURLWithPath: path)
        let folder = open(url.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let short = "/proc/self/fd/\(folder)/\(url.lastPathComponent)"
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: short.utf8) }
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        let status = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0)
    }

    @Test(
        "takes any name that is UTF-8 as it is",
        arguments: [
            "a b.mkv", "a\nb.mkv", "'\"`$(x).mkv", "🎬 é.mkv", "-rf.mkv", "\\.mkv", "%s.mkv",
            String(repeating: "ä", count: 127) + "x", "e\u{301}.mkv",
        ])
    func names(name: String) throws {
        let folder = try TemporaryDirectory()
        let path = "\(folder.path)/\(name)"
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0)
        close(file)
        let root = try root(folder)
        let report = ScanReport(TreeScan(root: root.descriptor))
        #expect(report.files.keys.map { Array($0.utf8) } == [Array(name.utf8)])
    }

    @Test("passes over names that are not UTF-8, folders too, and shows them repaired")
    func notUTF8() throws {
        let folder = try TemporaryDirectory()
        var path = Array(folder.file("a").utf8CString.dropLast())
        path += [CChar(bitPattern: 0xFF), CChar(bitPattern: 0xE4), 0]
        try #require(mkdir(path, 0o700) == 0)
        let root = try root(folder)
        let report = ScanReport(TreeScan(root: root.descriptor))
        #expect(report.passedOver == ["a\u{FFFD}\u{FFFD}": .notUTF8])
        #expect(report.folders == [""])
    }

    @Test("what is not admitted is not told, and its folder not entered")
    func admits() throws {
        let folder = try TemporaryDirectory()
        for name in ["_UNPACK_x", "in"] { try #require(mkdir(folder.file(name), 0o700) == 0) }
        for name in ["in/a.mkv", "in/a.part", "_UNPACK_x/b.mkv"] {
            try write(to: folder.file(name))
        }
        let root = try root(folder)
        let scan = TreeScan(root: root.descriptor) { entry in
            entry.isFolder ? entry.path == "in" : entry.name.hasSuffix(".mkv")
        }
        let report = ScanReport(scan)
        #expect(report.files.keys.sorted() == ["in/a.mkv"])
        #expect(report.folders == ["", "in"])
        #expect(report.result.ignored == 2)
        #expect(report.result.isWhole)
    }

    @Test("a folder that vanishes midway leaves the scan incomplete, and the rest is read")
    func vanishes() throws {
        let folder = try TemporaryDirectory()
        for name in ["a", "b"] { try #require(mkdir(folder.file(name), 0o700) == 0) }
        try write(to: folder.file("a/x.mkv"))
        try write(to: folder.file("b/x.mkv"))
        let root = try root(folder)
        let path = folder.path
        var gone = ""
        let report = ScanReport(TreeScan(root: root.descriptor)) { finding in
            guard gone.isEmpty, case .folder(let entered, _, _) = finding, !entered.isEmpty
            else { return }
            gone = entered == "a" ? "b" : "a"
            rename("\(path)/\(gone)", "\(path)/c")
        }
        #expect(report.unreadable == [gone: ENOENT])
        #expect(report.files.count == 1)
        #expect(!report.result.isWhole)
    }

    @Test("a folder that a link has replaced midway is not followed")
    func replaced() throws {
        let folder = try TemporaryDirectory()
        try #require(mkdir(folder.file("a"), 0o700) == 0)
        let elsewhere = try TemporaryDirectory()
        try write(to: elsewhere.file("secret.mkv"))
        let root = try root(folder)
        let (path, target) = (folder.path, elsewhere.path)
        let scan = TreeScan(root: root.descriptor) { entry in
            if entry.path == "a" {
                rmdir("\(path)/a")
                symlink(target, "\(path)/a")
            }
            return true
        }
        let report = ScanReport(scan)
        #expect(report.files.isEmpty)
        #expect(report.unreadable.keys.sorted() == ["a"])
    }

    @Test("a folder without rights is told, and the rest is read", .enabled(if: getuid() != 0))
    func unreadable() throws {
        let folder = try TemporaryDirectory()
        try #require(mkdir(folder.file("a"), 0) == 0)
        try write(to: folder.file("x.mkv"))
        let root = try root(folder)
        let report = ScanReport(TreeScan(root: root.descriptor))
        #expect(report.unreadable == ["a": EACCES])
        #expect(report.files.count == 1)
        #expect(!report.result.isWhole)
    }

    @Test("goes 64 folders deep and no deeper, from wherever it begins")
    func depth() throws {
        let folder = try TemporaryDirectory()
        let deep = Array(repeating: "d", count: 66).joined(separator: "/")
        try FileManager.default.createDirectory(
            atPath: folder.file(deep), withIntermediateDirectories: true)
        let root = try root(folder)
        let tooDeep = Array(repeating: "d", count: 65).joined(separator: "/")
        for (start, count) in [("", 65), ("d/d/d", 62)] {
            let report = ScanReport(TreeScan(root: root.descriptor), below: start)
            #expect(report.folders.count == count)
            #expect(report.passedOver == [tooDeep: .tooDeep])
        }
    }

    @Test("begins at a folder below the root, and says when it is not there")
    func below() throws {
        let folder = try TemporaryDirectory()
        for name in ["a", "a/b", "c"] { try #require(mkdir(folder.file(name), 0o700) == 0) }
        for name in ["x.mkv", "a/y.mkv", "a/b/z.mkv"] { try write(to: folder.file(name)) }
        try #require(symlink("a", folder.file("l")) == 0)
        let root = try root(folder)
        let scan = TreeScan(root: root.descriptor)
        #expect(ScanReport(scan, below: "a").files.keys.sorted() == ["a/b/z.mkv", "a/y.mkv"])
        #expect(ScanReport(scan, below: "a/b").folders == ["a/b"])
        #expect(ScanReport(scan, below: "a/q/b").unreadable == ["a/q/b": ENOENT])
        #expect(ScanReport(scan, below: "l/b").unreadable.count == 1)
    }

    @Test("ends when it is told to, and is not whole")
    func stops() throws {
        let folder = try TemporaryDirectory()
        for number in 0..<600 { try write(to: folder.file("\(number)")) }
        let root = try root(folder)
        var questions = 0
        let scan = TreeScan(
            root: root.descriptor,
            isStopped: {
                questions += 1
                return questions == 2
            })
        let result = scan.run { _ in }
        #expect(result.isStopped && !result.isWhole)
        #expect((1...256).contains(result.files))
    }
}

extension TreeScanTests {
    @Test("what is refused for what it is, or marked, is not entered, wherever a scan begins")
    func refused() throws {
        let folder = try TemporaryDirectory()
        for name in ["own", "own/deep", "aside", "aside/sub", "noted", "good"] {
            try #require(mkdir(folder.file(name), 0o700) == 0)
        }
        for name in ["own/a.mkv", "own/deep/b.mkv", "aside/sub/c.mkv", "good/d.mkv"] {
            try write(to: folder.file(name))
        }
        try AsideMark.put(in: "aside", below: folder.path)
        try AsideMark.put(in: "aside", below: folder.path)
        try AsideMark.putFile(in: OpenFolder(folder.file("noted")))
        // The root itself may be one: it is watched, whatever lies in it.
        _ = try OpenFolder(folder.path).mark(AsideMark.attribute)
        let own = try #require(FilePlace(path: folder.file("own")))
        let root = try root(folder)
        let scan = TreeScan(root: root.descriptor, refusal: { $0 == own ? "ours" : nil })
        let report = ScanReport(scan)
        #expect(report.files.keys.sorted() == ["good/d.mkv"])
        #expect(report.passedOver == ["own": .own("ours"), "aside": .aside, "noted": .aside])
        for inner in ["own/deep", "aside/sub"] {
            let result = scan.run(below: inner) { finding in
                if case .file = finding { Issue.record("\(finding)") }
            }
            #expect(result.passedOver == 1 && result.isWhole)
        }
    }
}
