import TakeupWatch
import Testing

@Suite("Ready marker")
struct ReadyMarkerTests {
    @Test("reads its setting")
    func reads() throws {
        #expect(try ReadyMarker(setting: "none") == .none)
        #expect(try ReadyMarker(setting: "renamed") == .onlyRenamed)
        #expect(try ReadyMarker(setting: ".done") == .beside(suffix: ".done"))
    }

    @Test(
        "refuses what can be no ending", arguments: ["", "done", ".", "..", "./a", ".a\n", ".é/"])
    func refuses(text: String) {
        #expect(throws: WatchError.self) { try ReadyMarker(setting: text) }
    }

    @Test("a file waits for its own marker, and a marker is no file")
    func beside() {
        let marker = ReadyMarker.beside(suffix: ".md5")
        func reason(_ path: String, _ there: Set<String>) -> String? {
            marker.reasonToWait(path, wasMovedIn: false, isThere: there.contains)
        }
        #expect(reason("a/clip.mov", ["a/clip.mov.md5"]) == nil)
        #expect(reason("a/clip.mov", ["clip.mov.md5", "a/clip.md5"]) != nil)
        #expect(reason("a/clip.mov.md5", ["a/clip.mov.md5.md5"]) != nil)
        #expect(marker.marked(by: "a/clip.mov.md5") == "a/clip.mov")
        #expect(marker.marked(by: "a/.md5") == nil)
        #expect(marker.marked(by: ".md5") == nil)
        #expect(marker.marker(of: "clip.mov") == "clip.mov.md5")
    }

    @Test("by renaming alone, a file that was written under its name never counts")
    func renamed() {
        let marker = ReadyMarker.onlyRenamed
        #expect(marker.reasonToWait("a", wasMovedIn: true) { _ in true } == nil)
        #expect(marker.reasonToWait("a", wasMovedIn: false) { _ in true } != nil)
        #expect(ReadyMarker.none.reasonToWait("a", wasMovedIn: false) { _ in false } == nil)
    }
}
