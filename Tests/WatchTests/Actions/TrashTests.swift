import Foundation
import TestSupport
import Testing

@testable import TakeupWatch

@Suite("Trash")
struct TrashTests {
    @Test("without a home's, a file goes to the trash of its own disk")
    func homeless() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Data("x".utf8), to: "a.mov")
        let (folder, top) = try Trash(home: nil, user: 7) { 0 }.folder(for: path)
        let disk = try #require(top)
        #expect(folder == "\(disk == "/" ? "" : disk)/.Trash-7" && path.hasPrefix(disk))
    }
}
