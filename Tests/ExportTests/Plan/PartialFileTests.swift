import Foundation
import TestSupport
import Testing

@testable import TakeupExport

@Suite("PartialFile")
struct PartialFileTests {
    private func contents(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    /// Makes, fills and publishes a file.
    private func publish(
        _ text: String, to path: String, _ overwrite: ExportSettings.Overwrite, nameless: Bool
    ) throws -> String {
        let partial = try PartialFile(for: path, allowsNameless: nameless)
        try partial.write(Array(text.utf8))
        #expect(partial.byteCount == Int64(text.utf8.count))
        try partial.synchronize()
        return try partial.publish(overwrite)
    }

    @Test(
        "nothing has a name before it is published, and only that name after",
        arguments: [true, false])
    func appears(nameless: Bool) throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("clip.mp4")
        do {
            let partial = try PartialFile(for: path, allowsNameless: nameless)
            try partial.write(Array("whole".utf8))
            let names = try folder.names()
            #expect(nameless ? names.isEmpty : names.count == 1 && names[0].hasPrefix(".takeup-"))
            #expect(try contents(partial.path) == "whole")
            #expect(try partial.publish(.fail) == path)
        }
        #expect(try folder.names() == ["clip.mp4"])
        #expect(try contents(path) == "whole")
    }

    @Test("one that is not published leaves nothing", arguments: [true, false])
    func abandoned(nameless: Bool) throws {
        let folder = try TemporaryDirectory()
        do {
            let partial = try PartialFile(
                for: folder.file("clip.mp4"), allowsNameless: nameless)
            try partial.write([1, 2, 3])
            try partial.truncate()
            #expect(partial.byteCount == 0)
        }
        #expect(try folder.names() == [])
    }

    @Test("a taken name is left alone", arguments: [true, false])
    func fail(nameless: Bool) throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Data("old".utf8), to: "clip.mp4")
        #expect(throws: ExportError.outputExists(path)) {
            try publish("new", to: path, .fail, nameless: nameless)
        }
        #expect(try contents(path) == "old")
        #expect(try folder.names() == ["clip.mp4"])
    }

    @Test("replaces in one step", arguments: [true, false])
    func replace(nameless: Bool) throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Data("old".utf8), to: "clip.mp4")
        #expect(try publish("new", to: path, .replace, nameless: nameless) == path)
        #expect(try contents(path) == "new")
        #expect(try folder.names() == ["clip.mp4"])
        #expect(
            try publish("first", to: folder.file("b"), .replace, nameless: nameless).hasSuffix("/b")
        )
    }

    @Test("takes the next free name", arguments: [true, false])
    func unique(nameless: Bool) throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("clip.mp4")
        for text in ["0", "1", "2"] {
            _ = try publish(text, to: path, .unique, nameless: nameless)
        }
        #expect(try folder.names() == ["clip-1.mp4", "clip-2.mp4", "clip.mp4"])
        #expect(try contents(folder.file("clip-2.mp4")) == "2")
    }

    @Test(
        "a folder in the way is not replaced, and nothing is left beside it",
        arguments: [true, false])
    func folderInTheWay(nameless: Bool) throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("clip.mp4")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: ExportError.self) {
            try publish("new", to: path, .replace, nameless: nameless)
        }
        #expect(try folder.names() == ["clip.mp4"])
    }

    @Test("a folder that is not there, or is a file, is said to be so")
    func noFolder() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Data(), to: "file")
        for path in [folder.file("missing/clip.mp4"), folder.file("file/clip.mp4")] {
            let error = #expect(throws: ExportError.self) { _ = try PartialFile(for: path) }
            guard case .outputNotCreated(path, _) = error else {
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
