import Foundation
import TestSupport
import Testing

@testable import TakeupFiles

@Suite("Anchored path")
struct AnchoredPathTests {
    private typealias Open = @Sendable (String, Int32, Int32) -> Int32

    /// By the system's own means, and name by name.
    private static let means: [Open] = [
        { AnchoredPath.open($0, beneath: $1, $2) },
        { AnchoredPath.walk($0, beneath: $1, $2 | O_NOFOLLOW | O_CLOEXEC) },
    ]

    @Test("leads to what lies below its folder, and over no link", arguments: means.indices)
    func open(number: Int) throws {
        let directory = try TemporaryDirectory()
        try directory.write(Data("in".utf8), to: "root/a/b/clip.mov")
        try directory.write(Data("out".utf8), to: "secret/b/clip.mov")
        #expect(symlink(directory.file("secret"), directory.file("root/link")) == 0)
        #expect(symlink("a", directory.file("root/inner")) == 0)
        #expect(symlink("a/b/clip.mov", directory.file("root/clip.mov")) == 0)
        let root = Foundation.open(directory.file("root"), O_RDONLY | O_DIRECTORY)
        defer { close(root) }
        let errno = { (path: String, flags: Int32) -> Int32 in
            let file = Self.means[number](path, root, flags)
            let reason = Foundation.errno
            guard file >= 0 else { return reason }
            close(file)
            return 0
        }
        #expect(errno("a/b/clip.mov", O_RDONLY) == 0 && errno(".", O_RDONLY | O_DIRECTORY) == 0)
        for path in ["link/b/clip.mov", "inner/b/clip.mov", "clip.mov"] {
            #expect(errno(path, O_RDONLY) == ELOOP)
        }
        #expect(errno("clip.mov", AnchoredPath.placeOnly) == 0)
        #expect(errno("../secret/b/clip.mov", O_RDONLY) == EXDEV)
        #expect(errno(directory.file("secret/b/clip.mov"), O_RDONLY) == EXDEV)
        #expect(errno("a/none/clip.mov", O_RDONLY) == ENOENT)
        #expect(errno("a/b/clip.mov/x", O_RDONLY) == ENOTDIR)
    }

    @Test("a folder is made name by name, and never behind a link")
    func makeFolder() throws {
        let directory = try TemporaryDirectory()
        try directory.write(Data(), to: "secret/x")
        let root = try OpenFolder(directory.path)
        #expect(try root.makeFolder("a/b").path == directory.file("a/b"))
        #expect(symlink(directory.file("secret"), directory.file("a/link")) == 0)
        #expect(throws: FileError.failed(directory.file("a/link"), errno: ELOOP)) {
            try root.makeFolder("a/link/c")
        }
        #expect(access(directory.file("secret/c"), F_OK) != 0)
    }

    @Test(
        "names are told by bytes: a combining mark behind a slash begins one",
        arguments: [
            ("in/a/\u{301}x.mov", "in/a", "\u{301}x.mov"), ("/x", "/", "x"), ("x", ".", "x"),
            ("in.d/\u{301}x", "in.d", "\u{301}x"),
        ])
    func names(path: String, folder: String, name: String) {
        #expect(Folder.containing(path).utf8.elementsEqual(folder.utf8))
        #expect(Folder.lastName(of: path).utf8.elementsEqual(name.utf8))
        let numbered = PartialFile.numbered(path, 1)
        #expect(Folder.containing(numbered).utf8.elementsEqual(folder.utf8))
        #expect(Folder.names(of: path).last?.utf8.elementsEqual(name.utf8) == true)
    }

    @Test("the way from a folder is what lies behind its slash")
    func way() {
        #expect(Folder.path(from: "/in", to: "/in/\u{301}x") == "\u{301}x")
        #expect(Folder.path(from: "/in", to: "/in") == "")
        #expect(Folder.path(from: "/", to: "/in/a") == "in/a")
        #expect(Folder.path(from: "/in", to: "/inner/a") == nil)
    }
}
