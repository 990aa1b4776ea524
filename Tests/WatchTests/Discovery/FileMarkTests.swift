import Foundation
import TakeupFiles
import TakeupWatch
import TestSupport
import Testing

@Suite("File mark")
struct FileMarkTests {
    @Test("is what the open file says of itself, with links and rights")
    func identity() throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Data(count: 5), to: "a")
        try #require(link(path, folder.file("b")) == 0)
        try #require(chmod(path, 0o640) == 0)
        try #require(symlink("a", folder.file("l")) == 0)
        let (file, place) = (open(path, O_RDONLY), open(folder.path, O_RDONLY | O_DIRECTORY))
        defer { for descriptor in [file, place] { close(descriptor) } }
        let mark = try #require(try FileMark.of("b", in: place))
        #expect(mark.identity == FileIdentity(descriptor: file))
        #expect((mark.links, mark.mode) == (2, 0o640))
        #expect((mark.owner, mark.group) == (getuid(), getgid()))
        #expect(try FileMark.of("l", in: place) == nil)
        #expect(try FileMark.of("c", in: place) == nil)
        let long = String(repeating: "x", count: 300)
        #expect(throws: WatchError.failed(path: long, errno: ENAMETOOLONG)) {
            try FileMark.of(long, in: place)
        }
    }
}
