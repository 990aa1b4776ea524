import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and origins in trouble")
struct OriginTroubleTests {
    private let content = LoaderTrial.content(3_000_000)

    @Test("a login page midway fails, keeps what is here, and heals")
    func pageMidway() throws {
        let trial = try LoaderTrial()
        let path = "/a.mp4"
        trial.origin.serve(path, cutMidway)
        let loader = try trial.loader()
        let reader = loader.reader()
        #expect(try reader.some(100, at: 0) == content.read(0..<100))
        trial.origin.change(path) { $0.faults.answers = [.loginPage()] }
        let error = #expect(throws: FetchError.self) { try reader.everything() }
        #expect(error?.name == "not media")
        #expect(loader.status.presentBytes >= 512 << 10)
        trial.origin.change(path) { $0.faults = OriginFaults() }
        #expect(try reader.everything() == LoaderTrial.bytes(content))
    }

    @Test("a page among good answers costs a try and no more")
    func pageOnce() throws {
        let trial = try LoaderTrial()
        let path = "/a.mp4"
        trial.origin.serve(path, cutMidway)
        let loader = try trial.loader()
        let reader = loader.reader()
        #expect(try reader.some(100, at: 0) == content.read(0..<100))
        trial.origin.change(path) { $0.faults.answers = [.loginPage(times: 2)] }
        #expect(try reader.everything() == LoaderTrial.bytes(content))
        #expect(loader.log.versionChanges == 0)
    }

    @Test(
        "a body that only a closed connection ends is asked for what is behind it",
        arguments: [OriginEntityTag.strong("v"), .absent])
    func cutWithoutALength(tag: OriginEntityTag) throws {
        let trial = try LoaderTrial()
        let whole = OriginObject(content, tag: tag, lastModified: nil)
        var cut = whole
        (cut.faults.ranges, cut.faults.framing) = (.ignored, .untilClose)
        cut.faults.cuts = [OriginCut(.bodyBytes(1_200_000))]
        cut.successions = [OriginSuccession(after: .requests(1), to: whole)]
        trial.origin.serve("/a.mp4", cut)
        let loader = try trial.loader("/a.mp4")
        try loader.waitUntilComplete()
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
    }

    @Test("an origin that restarts where it closed the connection is asked until it answers")
    func restarts() throws {
        let trial = try LoaderTrial()
        let whole = OriginObject(content, tag: .strong("v"), lastModified: nil)
        var away = whole
        away.faults.answers = [.status(503, times: 1), .hangUp(.reset, times: 1)]
        var cut = whole
        (cut.faults.ranges, cut.faults.framing) = (.ignored, .untilClose)
        cut.faults.cuts = [OriginCut(.bodyBytes(1_200_000))]
        cut.successions = [OriginSuccession(after: .requests(1), to: away)]
        trial.origin.serve("/a.mp4", cut)
        let loader = try trial.loader("/a.mp4")
        try loader.waitUntilComplete()
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
    }

    @Test("an origin that never answers for what is behind its end is believed")
    func neverAnswers() throws {
        let trial = try LoaderTrial()
        var whole = OriginObject(content, tag: .strong("v"), lastModified: nil)
        (whole.faults.ranges, whole.faults.framing) = (.ignored, .untilClose)
        var silent = whole
        silent.faults.answers = [.status(500)]
        whole.successions = [OriginSuccession(after: .requests(1), to: silent)]
        trial.origin.serve("/a.mp4", whole)
        let loader = try trial.loader("/a.mp4")
        try loader.waitUntilComplete()
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
        #expect(try loader.information().isOpenEnded)
    }

    private var cutMidway: OriginObject {
        var object = OriginObject(content)
        object.faults.cuts = [OriginCut(.offset(700_000))]
        return object
    }
}
