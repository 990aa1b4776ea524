import TakeupWatch
import Testing

@Suite("Ready marker")
struct ReadyMarkerTests {
    @Test("reads its setting")
    func reads() throws {
        #expect(try ReadyMarker(setting: "none") == .none)
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
        #expect(marker.isReady("a/clip.mov") { $0 == "a/clip.mov.md5" })
        #expect(!marker.isReady("a/clip.mov") { ["clip.mov.md5", "a/clip.md5"].contains($0) })
        #expect(!marker.isReady("a/clip.mov.md5") { _ in true })
        #expect(ReadyMarker.none.isReady("a/clip.mov") { _ in false })
    }
}
