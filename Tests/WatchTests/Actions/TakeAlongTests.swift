import Foundation
import TakeupFiles
import TestSupport
import Testing

@testable import TakeupWatch

@Suite("Subtitles of moved sources")
struct TakeAlongTests {
    @Test("a source stays with its subtitles when they cannot be listed")
    func unlisted() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            for name in ["clip.mov", "clip.en.srt"] {
                try directory.write(Data(name.utf8), to: "in/\(name)")
            }
            let actions = SourceActions(
                doneFolder: directory.file("done"), failedFolder: directory.file("failed"),
                trash: Trash(home: directory.file("trash"), user: 7) { 0 }, note: { _ in [] },
                holdsSame: { _, _ in true })
            let done = try OpenFolder(makingAll: directory.file("done"))
            guard let source = try SourceFile(directory.file("in/clip.mov")) else {
                preconditionFailure("there is no source")
            }
            // The process has no descriptor left for the folder's list.
            var held: [Int32] = []
            while true {
                let next = open("/dev/null", O_RDONLY | O_CLOEXEC)
                if next < 0 { break }
                held.append(next)
            }
            var found: WatchError?
            do throws(WatchError) {
                try actions.takeAlong(source, to: done)
            } catch {
                found = error
            }
            for descriptor in held { close(descriptor) }
            precondition(found == .failed(path: ".", errno: EMFILE), "\(String(describing: found))")
            try actions.takeAlong(source, to: done)
            precondition(access(directory.file("done/clip.en.srt"), F_OK) == 0)
        }
    }
}
