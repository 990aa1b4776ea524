import TakeupCurl
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and origins whose parts are not what they say")
struct WrongPartTests {
    private let content = LoaderTrial.content(3_000_000)

    private func object(_ change: (inout OriginFaults) -> Void) -> OriginObject {
        var object = OriginObject(content)
        change(&object.faults)
        return object
    }

    @Test(
        "a part with the status of a whole is kept as a part",
        arguments: [OriginFaults.ContentRangeForm.right, .unknownTotal, .missing])
    func partAsWhole(form: OriginFaults.ContentRangeForm) throws {
        let trial = try LoaderTrial()
        trial.origin.serve(
            "/a.mp4",
            object {
                ($0.statusOfPart, $0.contentRange) = (200, form)
                $0.cuts = [OriginCut(.offset(1_700_000), times: 1)]
            })
        let loader = try trial.loader()
        #expect(try loader.reader().some(10, at: 2_000_000) == content.read(2_000_000..<2_000_010))
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
        #expect(try loader.information().length == 3_000_000)
        try loader.waitUntilComplete()
    }

    @Test(
        "a part under the status of a whole that says neither range nor length is no whole",
        arguments: [OriginFaults.Framing.chunked, .untilClose])
    func partWithoutLength(framing: OriginFaults.Framing) throws {
        let trial = try LoaderTrial()
        trial.origin.serve(
            "/a.mp4",
            object {
                ($0.statusOfPart, $0.contentRange, $0.framing) = (200, .missing, framing)
            })
        let loader = try trial.loader()
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
        #expect(try loader.information().length == 3_000_000)
    }

    @Test(
        "an origin whose parts cannot be joined is read as a whole",
        arguments: [OriginFaults.ContentRangeForm.verbatim("bytes 0--1/0"), .missing])
    func wrongRanges(form: OriginFaults.ContentRangeForm) throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.contentRange = form })
        #expect(try trial.loader().reader().everything() == LoaderTrial.bytes(content))
        trial.origin.serve("/b.mp4", object { $0.rangeShape = .multipart })
        #expect(try trial.loader("/b.mp4").reader().everything() == LoaderTrial.bytes(content))
    }

    @Test("a page without a length in place of a stored object is refused, once")
    func pageLater() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { _ in })
        try trial.loader().waitUntilComplete()
        #expect(trial.origin.wait { _ in trial.logs.withLock { $0.count } == 1 })
        let asked = trial.origin.requestCount("/a.mp4")
        var page = OriginObject(
            .bytes(Array("<!DOCTYPE html><html><body>log in</body></html>".utf8)),
            type: "text/html", tag: .absent, lastModified: nil)
        (page.faults.ranges, page.faults.framing) = (.ignored, .chunked)
        trial.origin.serve("/a.mp4", page)
        let loader = try trial.another { $0.freshSeconds = 0 }
            .loader(for: trial.origin.url("/a.mp4"))
        let error = #expect(throws: FetchError.self) { try loader.reader().some(1, at: 0) }
        #expect(error?.name == "not media", "\(error.map(String.init(describing:)) ?? "")")
        #expect(loader.status.presentBytes == 3_000_000)
        #expect(trial.origin.requestCount("/a.mp4") - asked <= 5)
    }

    @Test("an object as long as the first request, of an origin that ignores ranges")
    func longAsAsked() throws {
        let trial = try LoaderTrial()
        let bytes = try content.read(0..<1 << 20)
        var whole = OriginObject(.bytes(bytes))
        whole.faults.ranges = .ignored
        trial.origin.serve("/a.mp4", whole)
        #expect(try trial.loader().reader().everything() == bytes)
        #expect(trial.origin.requestCount("/a.mp4") == 2)
    }
}
