import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and origins that tell nothing")
struct SilentOriginTests {
    private let old = LoaderTrial.content(1_000_000)
    private let new = LoaderTrial.content(1_000_000, seed: 2)

    /// Neither a length nor a tag nor a date.
    private func object(
        _ content: OriginContent, _ framing: OriginFaults.Framing
    ) -> OriginObject {
        var object = OriginObject(content, tag: .absent, lastModified: nil)
        (object.faults.ranges, object.faults.framing) = (.ignored, framing)
        return object
    }

    @Test(
        "what was cut is not joined with what comes then (C5)",
        arguments: [OriginFaults.Framing.chunked, .untilClose])
    func cut(framing: OriginFaults.Framing) throws {
        let trial = try LoaderTrial()
        var first = object(old, framing)
        first.faults.cuts = [OriginCut(.offset(400_000), by: .reset)]
        trial.origin.serve("/a.mp4", first)
        let loader = try trial.loader()
        let reader = loader.reader()
        #expect(throws: FetchError.self) { try reader.everything() }
        trial.origin.replace("/a.mp4", with: object(new, framing))
        try loader.waitUntilComplete()
        // An answer with the old one that is under way now is cut no more.
        let whole = try loader.reader().everything()
        #expect(try whole == LoaderTrial.bytes(new) || whole == LoaderTrial.bytes(old))
        let error = #expect(throws: FetchError.self) { try reader.some(1, at: 0) }
        #expect(error?.name == "changed")
    }

    @Test(
        "a date that may hide a second change joins nothing without a length",
        arguments: [OriginFaults.Framing.chunked, .untilClose])
    func weakDate(framing: OriginFaults.Framing) throws {
        let trial = try LoaderTrial()
        var (first, second) = (object(old, framing), object(new, framing))
        // The answers are made within the second of the change.
        (first.lastModified, first.date) = (1_700_000_000, 1_700_000_000)
        (second.lastModified, second.date) = (1_700_000_000, 1_700_000_000)
        first.faults.cuts = [OriginCut(.offset(400_000), by: .reset)]
        trial.origin.serve("/a.mp4", first)
        let loader = try trial.loader()
        #expect(throws: FetchError.self) { try loader.reader().everything() }
        trial.origin.replace("/a.mp4", with: second)
        try loader.waitUntilComplete()
        let whole = try loader.reader().everything()
        #expect(try whole == LoaderTrial.bytes(new) || whole == LoaderTrial.bytes(old))
    }

    @Test("a complete source is fetched again when it is asked about (C5)")
    func complete() throws {
        let trial = try LoaderTrial { $0.freshSeconds = 0 }
        trial.origin.serve("/a.mp4", object(old, .chunked))
        try trial.loader().waitUntilComplete()
        #expect(trial.origin.wait { _ in trial.logs.withLock { $0.count } == 1 })
        trial.origin.replace("/a.mp4", with: object(new, .chunked))
        let loader = try trial.another { $0.freshSeconds = 0 }
            .loader(for: trial.origin.url("/a.mp4"))
        #expect(try loader.reader().everything() == LoaderTrial.bytes(new))
        #expect(try !loader.information().supportsRanges)
        #expect(trial.origin.requestCount("/a.mp4") == 2)
    }
}
