import Foundation
import TestSupport
import Testing

@testable import TakeupFiles

@Suite("File traits")
struct FileTraitsTests {
    @Test(
        "a file has another's rights and time from when its name appears, however it gets that",
        arguments: [
            PartialFile.Means.all, [.nameless, .exclusiveRename], [.exclusiveRename, .link], [],
        ], [PartialFile.Overwrite.fail, .replace])
    func given(means: PartialFile.Means, overwrite: PartialFile.Overwrite) throws {
        let folder = try TemporaryDirectory()
        let source = folder.file("source")
        try Data("source".utf8).write(to: URL(fileURLWithPath: source))
        #expect(chmod(source, 0o4751) == 0)
        var times = [timeval(tv_sec: 1_000, tv_usec: 0), timeval(tv_sec: 2_000, tv_usec: 0)]
        #expect(utimes(source, &times) == 0)
        let open = open(source, O_RDONLY)
        defer { close(open) }
        let file = try PartialFile(for: folder.file("out"), means: means)
        try file.write(Array("output".utf8))
        file.take(try #require(FileTraits(descriptor: open)))
        try file.synchronize()
        _ = try file.publish(overwrite)
        var facts = stat()
        #expect(stat(folder.file("out"), &facts) == 0)
        #expect(facts.st_mode & 0o7777 == 0o640 && facts.st_mtim.tv_sec == 2_000)
        #expect(facts.st_size == 6)
    }
}
