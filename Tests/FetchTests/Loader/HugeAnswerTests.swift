import TakeupCurl
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and answers beyond all bounds")
struct HugeAnswerTests {
    private static let limit: Int64 = 1_000_000
    private let content = LoaderTrial.content(3_000_000)

    private func object(_ change: (inout OriginFaults) -> Void) -> OriginObject {
        var object = OriginObject(content)
        change(&object.faults)
        return object
    }

    @Test("10 TB are refused at the head: not a byte is kept, and no room is taken (S4)")
    func tenTerabytes() throws {
        // The standard limit.
        let trial = try LoaderTrial()
        trial.origin.serve(
            "/a.mp4",
            object {
                $0.ranges = .ignored
                $0.framing = .declared(10_000_000_000_000)
            })
        trial.origin.serve("/b.mp4", object { $0.contentRange = .total(10_000_000_000_000) })
        for path in ["/a.mp4", "/b.mp4"] {
            let loader = try trial.loader(path)
            let error = #expect(throws: FetchError.self) { try loader.information() }
            #expect(error == .tooLarge(limitBytes: 4 << 40, address: trial.origin.url(path)))
            #expect(loader.status.presentBytes == 0)
            #expect(trial.origin.requestCount(path) == 1)
        }
        #expect(try trial.library.store.list().allSatisfy { $0.diskBytes < 64 << 10 })
    }

    @Test("a length that is a lie costs what came, and no room on the disk (S4)")
    func lie() throws {
        let trial = try LoaderTrial { $0.judge.limitBytes = .max }
        trial.origin.serve(
            "/a.mp4",
            object {
                $0.ranges = .ignored
                $0.framing = .declared(10_000_000_000_000)
            })
        let loader = try trial.loader()
        #expect(try loader.information().length == 10_000_000_000_000)
        let error = #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
        #expect(error?.name == "unreachable")
        #expect(try trial.library.store.list().allSatisfy { $0.diskBytes < 4 << 20 })
    }

    @Test("a body without an end is cut at the limit, within one piece of it (S4)")
    func endless() throws {
        let trial = try LoaderTrial { $0.judge.limitBytes = Self.limit }
        trial.origin.serve(
            "/a.mp4",
            object {
                $0.ranges = .ignored
                $0.framing = .endlessChunked
            })
        let loader = try trial.loader()
        let error = #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
        #expect(error == .tooLarge(limitBytes: Self.limit, address: trial.origin.url("/a.mp4")))
        // A piece is 256 KiB at most; the socket may hold some megabytes that nobody takes.
        let (present, piece) = (loader.status.presentBytes, Int64(256 << 10))
        #expect(present <= Self.limit && present >= Self.limit - piece, "\(present)")
        #expect(loader.log.originBytes <= Self.limit + piece)
        #expect(trial.origin.requestCount("/a.mp4") == 1)
    }

    @Test("a head of 100 KB is refused at once, one of 50 KB is read (S4)")
    func largeHead() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.head.paddingBytes = 101 << 10 })
        trial.origin.serve("/b.mp4", object { $0.head.paddingBytes = 50_000 })
        let error = #expect(throws: FetchError.self) { try trial.loader("/a.mp4").information() }
        #expect(error?.name == "invalid response")
        #expect(trial.origin.requestCount("/a.mp4") == 1)
        #expect(try trial.loader("/b.mp4").information().length == 3_000_000)
    }

    @Test("a head that trickles ends in its time, each of five tries (S4)")
    func slowHead() throws {
        #expect(FetchSettings().limits.headSeconds <= 30)
        let trial = try LoaderTrial { $0.limits.headSeconds = 0.3 }
        trial.origin.serve("/a.mp4", object { $0.head.bytesPerSecond = 20 })
        let loader = try trial.loader()
        let error = #expect(throws: FetchError.self) { try loader.information() }
        #expect(error?.name == "unreachable")
        #expect(trial.origin.requestCount("/a.mp4") == 5)
        // A whole head takes it longer than all five tries together.
        #expect(trial.origin.requests("/a.mp4").allSatisfy { $0.bodyBytes == 0 })
    }

    @Test(
        "a redirect to what is no web address, or below https, goes nowhere (S3)",
        arguments: [
            "file:///etc/passwd", "FILE:/etc/passwd", "ftp://127.0.0.1/a", "gopher://127.0.0.1/_a",
            "data:video/mp4;base64,AAAA", "javascript:1", "dict://127.0.0.1/", "scp://h/a",
            "http://u:p@127.0.0.1/", "//u@127.0.0.1/", "http://127.0.0.1/a\r\nX: y",
        ])
    func redirects(location: String) throws {
        let origin = HTTPOrigin(LoaderTrial.settings())
        let base = try WebAddress("http://127.0.0.1:1/a?t=secret")
        let error = #expect(throws: FetchError.self) { try origin.follow(location, from: base) }
        #expect(error?.name == "denied")
        #expect(!"\(String(describing: error))".contains("secret"))
    }

    @Test("https leads to https only (S3)")
    func downgrade() throws {
        let origin = HTTPOrigin(LoaderTrial.settings())
        let (plain, safe) = (
            try WebAddress("http://a.example/"), try WebAddress("https://a.example/")
        )
        #expect(throws: FetchError.denied("a redirect from https to http", address: safe.text)) {
            try origin.follow("http://a.example/b", from: safe)
        }
        #expect(try origin.follow("/b", from: safe).text == "https://a.example/b")
        #expect(try origin.follow("https://a.example/b", from: plain).scheme == .https)
    }
}
