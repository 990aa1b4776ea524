import Foundation
import TakeupFFmpeg
import TakeupFiles
import TakeupModel
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

@Suite("Source desk")
struct SourceDeskTests {
    @Test("numbers come back as they were, and nothing else is one")
    func messages() {
        for number in [0, 1, 9_999, Int(Int32.max)] {
            #expect(OpeningMessage.number(OpeningMessage.bytes(number)) == number)
        }
        #expect(OpeningMessage.number([]) == nil)
        #expect(OpeningMessage.number([1, 2, 3]) == nil)
        #expect(OpeningMessage.number([1, 2, 3, 4, 5]) == nil)
    }

    @Test("a file is handed over once, however often it comes")
    func places() {
        #expect(HelperFiles.places(of: ["a", "b", "a", "c", "b"]) == [0, 1, 0, 2, 1])
        var files = HelperFiles(places: [0, 1, 0, 2], remoteLengths: [1: 5])
        #expect(files.count == 3 && files.descriptorCount == 4)
        files.lateLengths = [0: 7, 2: 9]
        // The desk, and two of the one that is fetched.
        #expect(files.descriptorCount == 3)
    }

    @Test("a helper reads the files that it asks for, and no other, and none that was replaced")
    func opens() throws {
        let directory = try TemporaryDirectory()
        var files: [Int: LocalFile] = [:]
        for number in [3, 8] {
            let path = try directory.write(Data("file \(number)".utf8), to: "\(number)")
            files[number] = LocalFile(
                path: path, followsLinks: true,
                identity: try #require(FileIdentity(path: path)))
        }
        let desk = try SourceDesk(files)
        defer { desk.stop() }
        let late = LateFiles(socket: desk.descriptor)
        func text(_ place: Int) throws -> String {
            let source = late.source(place, name: "\(place)", byteCount: 6)
            var bytes = [UInt8](repeating: 0, count: 10)
            let count = try source.bytes(at: 0, into: &bytes)
            return String(decoding: bytes[..<count], as: UTF8.self)
        }
        #expect(try text(8) == "file 8")
        #expect(try text(3) == "file 3")
        #expect(desk.fault == nil)
        try FileManager.default.removeItem(atPath: directory.file("3"))
        #expect(throws: FFmpegError.self) { try text(3) }
        #expect(desk.fault == .inputMissing(directory.file("3")))
        _ = try directory.write(Data("other!".utf8), to: "8")
        let error = #expect(throws: FFmpegError.self) { try text(8) }
        #expect(error?.status.rawValue == -ESTALE)
        // Who asks for what it was not given is not answered any more.
        #expect(throws: FFmpegError.self) { try text(0) }
        #expect(throws: FFmpegError.self) { try text(8) }
    }
}
