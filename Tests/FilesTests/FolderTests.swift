import Foundation
import TestSupport
import Testing

@testable import TakeupFiles

@Suite("Folder")
struct FolderTests: ~Copyable {
    private let directory: TemporaryDirectory
    /// Without links.
    private let root: String

    init() throws {
        directory = try TemporaryDirectory()
        root = Folder.resolved(directory.path)
    }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: "\(root)/\(name)", withIntermediateDirectories: true)
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(root)/\(name)", withDestinationPath: target)
    }

    @Test(
        "a slash counts, whatever mark follows it", arguments: ["\u{301}", "\u{200D}", "\u{FE0F}"])
    func marks(_ mark: String) {
        #expect(Folder.isAbsolute("/\(mark)a") && !Folder.isAbsolute("\(mark)/a"))
        #expect(Folder.hasSlash("a/\(mark)b") && !Folder.hasSlash("a／b"))
        #expect(Folder.isHidden(".\(mark)a") && !Folder.isHidden("\(mark).a"))
        #expect(Folder.endsInSlash("a\u{600}/") && !Folder.endsInSlash("a/\(mark)"))
    }

    @Test("what cannot be read is not empty, and not missing")
    func reading() throws {
        let file = try directory.write(Data("text".utf8), to: "file")
        try makeFolder("inbox")
        #expect(try Folder.names(in: "\(root)/none") == nil)
        #expect(try Folder.names(in: "\(root)/inbox") == [])
        #expect(try Folder.names(in: root)?.sorted() == ["file", "inbox"])
        #expect(throws: FileError.failed(file, errno: ENOTDIR)) { try Folder.names(in: file) }
        #expect(try Folder.bytes(of: "\(root)/none", most: 9) == nil)
        #expect(try Folder.bytes(of: file, most: 4) == Array("text".utf8))
        for (path, most, reason) in [
            (file, 3, EFBIG), ("\(root)/inbox", 9, EISDIR), ("\(file)/a", 9, ENOTDIR),
        ] {
            #expect(throws: FileError.failed(path, errno: reason)) {
                try Folder.bytes(of: path, most: most)
            }
        }
    }

    @Test(
        "a path is resolved as far as it is there, and folded beyond",
        arguments: [
            ("", ""), ("/", ""), ("/.", ""), ("/inbox/", "/inbox"), ("//inbox/./a", "/inbox/a"),
            ("/inbox/..", ""), ("/inbox/../inbox", "/inbox"),
            ("/none", "/none"), ("/none/a/", "/none/a"), ("/none/./a", "/none/a"),
            ("/none/..", ""), ("/none/../inbox/out", "/inbox/out"),
            ("/none/a/../../inbox/b", "/inbox/b"), ("/inbox/none/../a/..", "/inbox"),
            ("/link", "/inbox"), ("/link/out", "/inbox/out"), ("/link/../a", "/a"),
            ("/none/../link/out", "/inbox/out"), ("/deep/a", "/inbox/b/a"),
            ("/deep/../a", "/inbox/a"), ("/dangling/a", "/dangling/a"),
            ("/dangling/../inbox", "/inbox"), ("/loop/a", "/loop/a"), ("/file/a", "/file/a"),
            ("/file/../inbox", "/inbox"), ("/...", "/..."), ("/e\u{301}/..a", "/e\u{301}/..a"),
        ])
    func resolved(path: String, wanted: String) throws {
        try makeFolder("inbox/b")
        try Data().write(to: URL(fileURLWithPath: "\(root)/file"))
        try link("link", to: "inbox")
        try link("deep", to: "\(root)/inbox/b")
        try link("dangling", to: "nowhere")
        try link("loop", to: "loop")
        let found = Folder.resolved("\(root)\(path)")
        #expect(found.utf8.elementsEqual("\(root)\(wanted)".utf8), "\(found)")
    }

    @Test(
        "nothing is above the root",
        arguments: ["", "/", "//", "/.", "/..", "/../..", "/none/.."])
    func aboveRoot(path: String) {
        #expect(Folder.resolved(path) == "/")
    }

    @Test(
        "the way from a folder to what lies below it",
        arguments: [
            ("/a", "/a", ""), ("/a", "/a/b", "b"), ("/a", "/a/b/c", "b/c"), ("/a", "/ab", nil),
            ("/a/b", "/a", nil), ("/", "/", ""), ("/", "/a/b", "a/b"),
            ("/\u{E9}", "/e\u{301}/a", nil), ("/a", "/a/\u{301}b", "\u{301}b"),
        ] as [(String, String, String?)])
    func way(folder: String, path: String, wanted: String?) {
        #expect(Folder.path(from: folder, to: path) == wanted)
    }

    @Test(
        "the folder and the last name of a path",
        arguments: [
            ("a", ".", "a"), ("/", "/", ""), ("/a", "/", "a"), ("/a/b", "/a", "b"),
            ("a/b", "a", "b"), ("/a/", "/a", ""), ("", ".", ""),
            ("/a/\u{301}b", "/a", "\u{301}b"),
        ])
    func parts(path: String, folder: String, name: String) {
        #expect(Folder.containing(path).utf8.elementsEqual(folder.utf8))
        #expect(Folder.lastName(of: path).utf8.elementsEqual(name.utf8))
    }

    @Test("the names of a path are those between its slashes")
    func names() {
        #expect(Folder.names(of: "/") == [])
        #expect(Folder.names(of: "//a/./b/../") == ["a", ".", "b", ".."])
        #expect(Folder.names(of: "a/\u{301}b") == ["a", "\u{301}b"])
    }

    @Test("the names in a folder are those of its files")
    func namesInside() throws {
        try makeFolder("a/folder")
        for name in ["x.json", ".hidden"] {
            try Data().write(to: URL(fileURLWithPath: "\(root)/a/\(name)"))
        }
        try link("b", to: "a")
        let descriptor = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(try Folder.names(in: "a", of: descriptor).sorted() == [".hidden", "x.json"])
        #expect(try Folder.names(in: "b", of: descriptor) == [], "no link is followed")
        #expect(try Folder.names(in: "none", of: descriptor) == [])
    }

    @Test("what cannot be looked at is not taken for absent")
    func untold() throws {
        // No file system has so long a name, and root is refused it, too.
        let name = String(repeating: "x", count: 300)
        let folder = try OpenFolder(root)
        #expect(throws: FileError.failed(name, errno: ENAMETOOLONG)) {
            try Folder.names(in: name, of: folder.descriptor)
        }
        #expect(throws: FileError.failed("\(root)/\(name)", errno: ENAMETOOLONG)) {
            try folder.holds(name)
        }
        #expect(try !folder.holds("none"))
        #expect(!Folder.isAbsent("\(root)/\(name)") && !Folder.isAbsent(root))
        #expect(Folder.isAbsent("\(root)/none") && Folder.isAbsent("\(root)/none/x"))
    }
}
