import Foundation
import TakeupIngest
import TakeupWatch
import TestSupport
import Testing

@testable import takeup

@Suite("Trash home")
struct TrashHomeTests {
    @Test(
        "is who runs the program's own, unless it lies beside the state",
        arguments: [
            (["HOME": "/home/a"], "/home/a/.local/share/Trash"),
            (["HOME": "/home/a", "XDG_DATA_HOME": "/data"], "/data/Trash"),
            (["HOME": "/home/a", "XDG_DATA_HOME": "data"], "/home/a/.local/share/Trash"),
            (["HOME": "/var/lib/takeup"], nil),
            (["HOME": "/var/lib/takeup/inner"], nil),
            (["HOME": "/var/lib/takeup2"], "/var/lib/takeup2/.local/share/Trash"),
            (["HOME": "/home/a", "XDG_DATA_HOME": "/var/lib/takeup"], nil),
            (["HOME": ""], nil), ([:], nil),
        ] as [([String: String], String?)])
    func home(environment: [String: String], expected: String?) {
        #expect(Trash.home(environment, besides: "/var/lib/takeup") == expected)
    }

    @Test("a link to the state is the state")
    func linked() throws {
        let directory = try TemporaryDirectory()
        let (state, link) = (directory.file("state"), directory.file("link"))
        try FileManager.default.createDirectory(
            atPath: state, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: state)
        #expect(Trash.home(["HOME": link], besides: state) == nil)
        #expect(Trash.home(["HOME": state], besides: link) == nil)
    }
}
