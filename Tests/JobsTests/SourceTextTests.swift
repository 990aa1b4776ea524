import TakeupJobs
import TakeupModel
import Testing

@Suite("Source text")
struct SourceTextTests {
    @Test(
        "what is secret in an address is not shown",
        arguments: [
            ("/a/b?c#d", "/a/b?c#d"), ("a.mov", "a.mov"), ("https://x/a.mov", "https://x/a.mov"),
            ("https://x/a.mov?k=secret", "https://x/a.mov?…"), ("http://x#secret", "http://x"),
            ("https://secret@x/a", "https://x/a"),
            ("HTTP://u:secret@x:1/a@b?c", "HTTP://x:1/a@b?…"),
            ("https://u:se@cret@x/", "https://x/"), ("https://x?secret@y/a", "https://x?…"),
            ("http://u:secret@x\\@y/", "http://x\\@y/"), ("ftp://u@x/a?b", "ftp://u@x/a?b"),
        ])
    func shown(source: String, text: String) {
        #expect(SourceText.shown(source) == text)
        var spec = JobSpec(
            id: JobID(rawValue: "a"),
            ExportRequest(
                Composition(joining: [source]),
                preset: ExportPreset.sound(named: "")))
        spec.request.composition = Composition(joining: [source, "/b"])
        #expect(spec.shownSources == [text, "/b"])
    }

    @Test("only http and https are addresses")
    func kinds() {
        #expect(SourceText.isAddress("https://x"))
        #expect(SourceText.isAddress("HtTp://x"))
        for path in ["http:/x", "/http://x", "ftp://x", "https", "", "file:///x"] {
            #expect(!SourceText.isAddress(path))
        }
    }
}
