import Foundation
import TakeupFiles
@testable import TakeupIngest
import TakeupLanes
import TakeupTelemetry
import TakeupWatch
import Testing

@testable import takeup

@Suite("What the log says of watched folders")
struct WatchLogTests {
    private static let cases: [(WatchNote, String)] = [
        (
            .unreadable(path: "sub", errno: EACCES),
            "sub cannot be read: Permission denied; nothing is taken for gone"
        ),
        (
            .unreadable(path: "", errno: EIO),
            "the folder itself cannot be read: Input/output error; nothing is taken for gone"
        ),
        (
            .postponed(path: "a.mov", .failed(path: "a.mov", errno: EACCES)),
            "a.mov cannot be taken yet: Permission denied"
        ),
        (
            .postponed(path: "a.mov", .failed(path: "/out", errno: ENOENT)),
            "a.mov cannot be taken yet: /out: No such file or directory"
        ),
        (
            .postponed(path: "a.mov", .unreadable(setting: "preset low", reason: "it is empty")),
            "a.mov cannot be taken yet: preset low cannot be used: it is empty"
        ),
        (
            .postponed(path: "a.mov", .file(.diskFull("/out/a.mp4", errno: ENOSPC))),
            "a.mov cannot be taken yet: No space left on device"
        ),
    ]

    @Test("errors are said in words, and each path once", arguments: cases)
    func words(note: WatchNote, says: String) {
        let lines = Locked<[String]>([])
        let log = Log(threshold: .debug) { record in lines.withLock { $0.append(record.text) } }
        WatchLog(log, "/in").tell(note)
        #expect(lines.withLock { $0 } == ["/in: \(says)"])
    }
}
