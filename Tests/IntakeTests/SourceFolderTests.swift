import Foundation
import TakeupModel
import TestSupport
import TakeupJobs
import Testing

@testable import TakeupIntake

@Suite("Source folder")
struct SourceFolderTests {
    private func make(_ names: [String], in folder: borrowing TemporaryDirectory) throws -> String {
        let root = folder.file("in")
        for name in names {
            let url = URL(filePath: "\(root)/\(name)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(name.utf8).write(to: url)
        }
        return root
    }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    @Test("a folder that cannot be looked at is told, and a link to nothing is not")
    func untold() throws {
        let folder = try TemporaryDirectory()
        let root = try make(["a.mov"], in: folder)
        // No file system has so long a name, and root is refused it, too.
        try link("\(root)/season", to: String(repeating: "x", count: 300))
        try link("\(root)/none", to: "nowhere")
        let list = try BatchList(place: root, options: BatchOptions())
        #expect(list.skipped.map { "\($0.path): \($0.reason)" } == ["season: File name too long"])
        #expect(list.jobs.count == 1)
    }

    @Test("media is found in order, its tree mirrored, with a name for each")
    func mirrors() throws {
        let folder = try TemporaryDirectory()
        let root = try make(
            [
                "b.mov", "sub/clip.mov", "sub/clip.mkv", "sub/deep/song.FLAC", "a.mp4",
                "notes.txt", ".hidden.mov", "clip.part.mov", "~x.mov", ".git/x.mov",
                "_UNPACK_show/x.mov", "@eaDir/x.mov", "x.mov.part", "raw.h264",
            ], in: folder)
        var options = BatchOptions()
        options.outputFolder = folder.file("out")
        let jobs = try BatchList(place: root, options: options).jobs
        #expect(
            jobs.map { $0.request.sources[0].dropFirst(root.count + 1) }
                == ["a.mp4", "b.mov", "sub/clip.mkv", "sub/clip.mov", "sub/deep/song.FLAC"])
        #expect(
            jobs.map { $0.request.output?.dropFirst(folder.file("out").count + 1) }
                == ["a.mp4", "b.mp4", "sub/clip.mkv.mp4", "sub/clip.mov.mp4", "sub/deep/song.mp4"])
        let cached = try BatchList(place: root + "/", options: BatchOptions()).jobs
        #expect(cached.allSatisfy { $0.request.output == nil })
        #expect(cached.map(\.id) == jobs.map(\.id))
        let skipped = try BatchList(place: root, options: BatchOptions()).skipped
        #expect(
            skipped.map { "\($0.path): \($0.reason)" }
                == [
                    ".git: a folder that is hidden, a system's or being filled",
                    ".hidden.mov: hidden",
                    "@eaDir: a folder that is hidden, a system's or being filled",
                    "_UNPACK_show: a folder that is hidden, a system's or being filled",
                    "clip.part.mov: an unfinished copy by its name", "notes.txt: no media",
                    "raw.h264: not a media suffix", "x.mov.part: an unfinished copy by its name",
                    "~x.mov: an unfinished copy by its name",
                ])
        #expect(
            skipped.filter { !$0.isExpected }.map(\.path)
                == ["clip.part.mov", "raw.h264", "x.mov.part", "~x.mov"])
    }

    @Test("links in circles end, linked folders and files count once, broken links are told")
    func links() throws {
        let folder = try TemporaryDirectory()
        let root = try make(["real/a.mov"], in: folder)
        try link("\(root)/real/up", to: root)
        try link("\(root)/again", to: "\(root)/real")
        try link("\(root)/b.mov", to: "\(root)/real/a.mov")
        try link("\(root)/gone.mov", to: "\(root)/nothing")
        let elsewhere = folder.file("elsewhere")
        try FileManager.default.createDirectory(
            atPath: elsewhere, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: "\(elsewhere)/c.mov"))
        try link("\(root)/linked", to: elsewhere)
        let list = try BatchList(place: root, options: BatchOptions())
        #expect(
            list.jobs.map { $0.request.sources[0].dropFirst(root.count + 1) }
                == ["b.mov", "linked/c.mov", "real/a.mov"])
        #expect(
            list.skipped == [.init(path: "gone.mov", reason: "there is no such file")])
    }

    @Test("outputs inside the folder are not taken for sources, outputs beside them are refused")
    func outputInside() throws {
        let folder = try TemporaryDirectory()
        let root = try make(["a.mov", "out/a.mp4"], in: folder)
        var options = BatchOptions()
        options.outputFolder = "\(root)/out"
        #expect(try BatchList(place: root, options: options).jobs.count == 1)
        options.outputFolder = root
        #expect(throws: BatchListError.self) { try BatchList(place: root, options: options) }
    }

    @Test("pipes are passed over, and names that are no UTF-8 are told")
    func specials() throws {
        let folder = try TemporaryDirectory()
        let root = try make(["a.mov"], in: folder)
        #expect(mkfifo("\(root)/pipe.mov", 0o600) == 0)
        let name = Array(root.utf8) + [UInt8(ascii: "/"), 0xFF] + Array(".mov".utf8) + [0]
        let descriptor = name.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                characters.baseAddress.map { open($0, O_CREAT | O_WRONLY, 0o600) } ?? -1
            }
        }
        #expect(descriptor >= 0)
        close(descriptor)
        let list = try BatchList(place: root, options: BatchOptions())
        #expect(list.jobs.count == 1)
        #expect(
            Set(list.skipped.map(\.reason))
                == ["it is not a regular file", "the name is not UTF-8"])
    }

    @Test("a list is read from disk, and what is none is told apart")
    func files() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("list.csv")
        try Data("source\na.mov\n".utf8).write(to: URL(filePath: path))
        let jobs = try BatchList(place: path, options: BatchOptions()).jobs
        #expect(jobs[0].request.sources == [folder.file("a.mov")])
        let missing = folder.file("none.csv")
        #expect(throws: BatchListError.missing(missing)) {
            try BatchList(place: missing, options: BatchOptions())
        }
        #expect(mkfifo(folder.file("pipe.json"), 0o600) == 0)
        #expect(throws: BatchListError.self) {
            try BatchList(place: folder.file("pipe.json"), options: BatchOptions())
        }
    }
}
