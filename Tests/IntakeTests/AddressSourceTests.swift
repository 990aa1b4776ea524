import TakeupJobs
import TakeupModel
import Testing

@testable import TakeupIntake

@Suite("Addresses in lists")
struct AddressSourceTests {
    @Test("an address stays one, in its normal form, whatever folder the list is in")
    func normal() throws {
        let jobs = try Lists.read(
            #"""
            [{"source": "HTTPS://Example.com:443/a/../b.mov?k=1#x"},
             {"source": ["http://x:8080/c.mp4", "d.mov"]}]
            """#)
        #expect(
            jobs.map(\.request.sources) == [
                ["https://example.com/b.mov?k=1"], ["http://x:8080/c.mp4", "/lists/d.mov"],
            ])
    }

    @Test("a fault of an address never shows it")
    func secrets() {
        for text in [
            "https://u:secret@x/a", "s3://secret", "s3://se cret/secret", "https://x:99999/secret",
        ] {
            let faults = Lists.faults(#"[{"source": "\#(text)"}]"#)
            #expect(faults.count == 1)
            #expect(!faults.joined().contains("secret"))
        }
    }

    @Test("outputs are named after the ends of addresses, each another name")
    func outputs() throws {
        var options = BatchOptions()
        options.outputFolder = "/out"
        let jobs = try Lists.read(
            #"""
            [{"source": "https://x/a/clip.mov?k=1"}, {"source": "https://x/b/clip.mov?k=2"},
             {"source": "https://x/c/clip.avi"}, {"source": "https://x/%2e%2e%2fetc%2Fpasswd.mov"}]
            """#, options: options)
        #expect(
            jobs.map(\.request.output) == [
                "/out/clip.mov.mp4", "/out/clip.mov-2.mp4", "/out/clip.avi.mp4",
                "/out/_etc_passwd.mp4",
            ])
    }

    @Test(
        "a name is made of whatever an address ends in",
        arguments: [
            ("https://x/a/clip.mov?x", "clip.mov"), ("https://x/a%20b.mov", "a b.mov"),
            ("https://example.com", "example.com"),
            ("https://example.com:80/?a=/b", "example.com_80"),
            ("https://x/a/", "a"), ("https://x/%00%0a.mp4", "__.mp4"),
            ("https://x/...", "download"),
            ("https://x/-rf.mp4", "rf.mp4"), ("https://x/%ff.mp4", "%ff.mp4"),
            ("https://x/%E2%80%AEgpm.exe", "_gpm.exe"), ("/a/b?c.mov", "b?c.mov"),
        ])
    func names(source: String, name: String) {
        #expect(SourceName.file(of: source) == name)
    }

    @Test("a long name keeps its end")
    func long() {
        let name = SourceName.file(of: "https://x/\(String(repeating: "é", count: 500)).mp4")
        #expect(name.hasSuffix("é.mp4") && name.utf8.count <= 200)
    }
}
