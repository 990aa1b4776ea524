import Foundation
import TestSupport
import Testing

@testable import TakeupFiles

@Suite("PartialFile")
struct PartialFileTests {
    /// What file systems and kernels lack, each alone and together.
    static let means: [PartialFile.Means] = [
        .all, [.nameless, .exclusiveRename], .nameless, [.exclusiveRename, .link],
        .exclusiveRename, .link, [],
    ]

    private func contents(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    /// Makes, fills and publishes a file.
    private func publish(
        _ text: String, to path: String, _ overwrite: PartialFile.Overwrite,
        means: PartialFile.Means
    ) throws -> String {
        let partial = try PartialFile(for: path, means: means)
        try partial.write(Array(text.utf8))
        #expect(partial.byteCount == Int64(text.utf8.count))
        try partial.synchronize()
        let published = try partial.publish(overwrite)
        #expect(published.nameLossReason == nil)
        return published.path
    }

    @Test(
        "nothing has a name before it is published, and only that name after",
        arguments: means)
    func appears(means: PartialFile.Means) throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("clip.mp4")
        do {
            let partial = try PartialFile(for: path, means: means)
            try partial.write(Array("whole".utf8))
            let names = try folder.names()
            #expect(
                means.contains(.nameless)
                    ? names.isEmpty : names.count == 1 && names[0].hasPrefix(".takeup-"))
            #expect(try contents(partial.path) == "whole")
            #expect(try partial.publish(.fail) == PublishedFile(path: path))
        }
        #expect(try folder.names() == ["clip.mp4"])
        #expect(try contents(path) == "whole")
    }

    @Test("one that is not published leaves nothing", arguments: means)
    func abandoned(means: PartialFile.Means) throws {
        let folder = try TemporaryDirectory()
        do {
            let partial = try PartialFile(
                for: folder.file("clip.mp4"), means: means)
            try partial.write([1, 2, 3])
            try partial.truncate()
            #expect(partial.byteCount == 0)
        }
        #expect(try folder.names() == [])
    }

    @Test("a taken name is left alone", arguments: means)
    func fail(means: PartialFile.Means) throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Data("old".utf8), to: "clip.mp4")
        #expect(throws: FileError.exists(path)) {
            try publish("new", to: path, .fail, means: means)
        }
        #expect(try contents(path) == "old")
        #expect(try folder.names() == ["clip.mp4"])
    }

    @Test("replaces in one step", arguments: means)
    func replace(means: PartialFile.Means) throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Data("old".utf8), to: "clip.mp4")
        #expect(try publish("new", to: path, .replace, means: means) == path)
        #expect(try contents(path) == "new")
        #expect(try folder.names() == ["clip.mp4"])
        #expect(
            try publish("first", to: folder.file("b"), .replace, means: means).hasSuffix("/b")
        )
    }

    @Test("takes the next free name", arguments: means)
    func unique(means: PartialFile.Means) throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("clip.mp4")
        for text in ["0", "1", "2"] {
            _ = try publish(text, to: path, .unique, means: means)
        }
        #expect(try folder.names() == ["clip-1.mp4", "clip-2.mp4", "clip.mp4"])
        #expect(try contents(folder.file("clip-2.mp4")) == "2")
    }

    @Test(
        "a folder in the way is not replaced, and nothing is left beside it",
        arguments: means)
    func folderInTheWay(means: PartialFile.Means) throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("clip.mp4")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: FileError.self) {
            try publish("new", to: path, .replace, means: means)
        }
        #expect(try folder.names() == ["clip.mp4"])
    }

    @Test("a name that the disk may not have is a warning, not a failure of what stands")
    func warnsOfName() throws {
        let folder = try TemporaryDirectory()
        #expect(PartialFile.nameLoss(of: folder.file("clip.mp4")) == nil)
        let reason = PartialFile.nameLoss(of: folder.file("missing/clip.mp4"))
        #expect(reason == "No such file or directory")
    }

    @Test("an exclusive rename replaces nothing")
    func renamesExclusively() throws {
        let folder = try TemporaryDirectory()
        let old = try folder.write(Data("old".utf8), to: "old")
        let new = try folder.write(Data("new".utf8), to: "new")
        #expect(ExclusiveRename.move(new, to: old) == EEXIST)
        #expect(try contents(old) == "old")
        #expect(ExclusiveRename.move(new, to: folder.file("free")) == 0)
        #expect(try folder.names() == ["free", "old"])
    }

    @Test("a folder that is not there, or is a file, is said to be so")
    func noFolder() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Data(), to: "file")
        for path in [folder.file("missing/clip.mp4"), folder.file("file/clip.mp4")] {
            let error = #expect(throws: FileError.self) { _ = try PartialFile(for: path) }
            guard case .notCreated(path, _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test(
        "numbers go before the extension",
        arguments: [
            ("clip.mp4", "clip-2.mp4"), ("a.b/clip", "a.b/clip-2"), (".hidden", ".hidden-2"),
            ("/x/two.parts.mp4", "/x/two.parts-2.mp4"), ("Filmüber.mp4", "Filmüber-2.mp4"),
        ])
    func numbered(path: String, expected: String) {
        #expect(PartialFile.numbered(path, 2) == expected)
    }
}
