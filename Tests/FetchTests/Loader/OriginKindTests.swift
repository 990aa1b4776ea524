import TakeupCurl
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and origins as they are")
struct OriginKindTests {
    private let content = LoaderTrial.content(3_000_000)

    private func object(_ change: (inout OriginFaults) -> Void) -> OriginObject {
        var object = OriginObject(content)
        change(&object.faults)
        return object
    }

    @Test("an origin that ignores ranges is read once, also for far places")
    func ignoresRanges() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.ranges = .ignored })
        let loader = try trial.loader()
        let reader = loader.reader()
        let tail: Range<Int64> = 2_900_000..<3_000_000
        #expect(try reader.all(tail) == content.read(tail))
        #expect(try reader.everything() == LoaderTrial.bytes(content))
        #expect(trial.origin.requestCount("/a.mp4") == 1)
        #expect(trial.origin.bytesServed("/a.mp4") == 3_000_000)
        #expect(try !loader.information().supportsRanges)
    }

    @Test("an origin that ignores ranges is asked once by who first looks what it has")
    func ignoresRangesAfterALook() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.ranges = .ignored })
        let loader = try trial.loader()
        #expect(try loader.information().length == 3_000_000)
        #expect(try loader.information().supportsRanges == false)
        let reader = loader.reader()
        #expect(try loader.information().length == 3_000_000)
        #expect(try reader.everything() == LoaderTrial.bytes(content))
        #expect(trial.origin.requestCount("/a.mp4") == 1)
        #expect(trial.origin.bytesServed("/a.mp4") == 3_000_000)
    }

    @Test("an origin that ignores ranges is asked once by readers who come one after another")
    func ignoresRangesBetweenReaders() throws {
        let trial = try LoaderTrial()
        trial.origin.serve(
            "/a.mp4", object { ($0.ranges, $0.bytesPerSecond) = (.ignored, 6_000_000) })
        let loader = try trial.loader()
        for start in stride(from: Int64(0), to: 3_000_000, by: 600_000) {
            let part = start..<start + 10_000
            let reader = loader.reader()
            #expect(try reader.all(part) == content.read(part))
            reader.cancel()
        }
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
        #expect(trial.origin.requestCount("/a.mp4") == 1)
        #expect(trial.origin.bytesServed("/a.mp4") == 3_000_000)
    }

    @Test("an answer that was kept for who might read ends with the session")
    func heldAnswerEnds() throws {
        let trial = try LoaderTrial()
        // The origin does not end it.
        let stall = OriginStall(at: 1_000_000)
        trial.origin.serve("/a.mp4", object { ($0.ranges, $0.stalls) = (.ignored, [stall]) })
        let loader = try trial.loader()
        _ = try loader.information()
        #expect(loader.session.state.withLock { $0.keepsAnswer })
        loader.close()
        #expect(loader.session.state.withLock { $0.running == nil })
        #expect(trial.origin.wait { $0.requests.map(\.ending) == [.clientLeft] })
    }

    @Test("a connection that is cut again and again brings bytes without a pause")
    func cutsWithoutPauses() throws {
        let trial = try LoaderTrial {
            $0.retry = OriginRetryPolicy(firstSeconds: 3600, longestSeconds: 3600)
        }
        let cuts = stride(from: Int64(328_000), to: 3_000_000, by: 328_000)
        trial.origin.serve(
            "/a.mp4", object { $0.cuts = cuts.map { OriginCut(.offset($0), times: 1) } })
        #expect(try trial.loader().reader().everything() == LoaderTrial.bytes(content))
    }

    @Test("an origin that ignores ranges goes on after a cut, and keeps what is here")
    func ignoresRangesAndBreaks() throws {
        let trial = try LoaderTrial()
        trial.origin.serve(
            "/a.mp4",
            object {
                $0.ranges = .ignored
                $0.cuts = [OriginCut(.offset(1_000_000), times: 1)]
            })
        #expect(try trial.loader().reader().everything() == LoaderTrial.bytes(content))
        #expect(trial.origin.requestCount("/a.mp4") == 2)
    }

    @Test(
        "a length that nobody tells is learnt at the end",
        arguments: [OriginFaults.Framing.chunked, .untilClose])
    func learnsLength(framing: OriginFaults.Framing) throws {
        let trial = try LoaderTrial()
        trial.origin.serve(
            "/a.mp4",
            object {
                $0.ranges = .ignored
                $0.framing = framing
            })
        let loader = try trial.loader()
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
        #expect(try loader.information().length == 3_000_000)
        try loader.waitUntilComplete()
        #expect(try loader.sha256() != nil)
        // The last chunk is the end; a closed connection may be a broken one, also for who reads later.
        #expect(try loader.information().isOpenEnded == (framing == .untilClose))
        loader.close()
        #expect(try trial.loader().information().isOpenEnded == (framing == .untilClose))
    }

    @Test("bytes behind a body, which belong to no answer, cost a connection and nothing else")
    func bytesBehind() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.framing = .lengthAndMore })
        let loader = try trial.loader()
        #expect(try loader.reader().some(10, at: 2_900_000) == content.read(2_900_000..<2_900_010))
        try loader.waitUntilComplete()
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
    }

    @Test("a 206 of unknown total is read to its end")
    func unknownTotal() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.contentRange = .unknownTotal })
        let loader = try trial.loader()
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
        #expect(try loader.reader().some(10, at: 5_000_000).isEmpty)
    }

    @Test(
        "ranges of another size than was asked for are kept where they belong",
        arguments: [
            OriginFaults.RangeShape.shorter(by: 1000), .longer(by: 5000), .atMost(700_000),
        ])
    func shapes(shape: OriginFaults.RangeShape) throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.rangeShape = shape })
        #expect(try trial.loader().reader().everything() == LoaderTrial.bytes(content))
    }

    @Test("an origin that never gives what was asked for ends in a typed error")
    func shifted() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.contentRange = .shifted(by: 1_900_000) })
        let loader = try trial.loader()
        let error = #expect(throws: FetchError.self) { try loader.reader().some(10, at: 0) }
        #expect(error?.name == "invalid response")
        #expect(trial.origin.requestCount("/a.mp4") <= 8)
    }

    @Test("what is no media is refused before anything is kept")
    func refusesPages() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/page.mp4", object { $0.answers = [.loginPage()] })
        trial.origin.serve("/gzip.mp4", object { $0.gzips = true })
        for (path, name) in [("/page.mp4", "not media"), ("/gzip.mp4", "not media")] {
            let loader = try trial.loader(path)
            let error = #expect(throws: FetchError.self) { try loader.information() }
            #expect(error?.name == name)
            #expect(loader.status.presentBytes == 0)
            #expect(loader.status.phase == .failed)
        }
    }

    @Test("statuses that no try heals are told", arguments: [400, 401, 403, 404, 410, 451, 501])
    func statuses(status: Int) throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.answers = [.status(status)] })
        let error = #expect(throws: FetchError.self) { try trial.loader().information() }
        #expect(error == .status(status, address: trial.origin.url("/a.mp4")))
        // 400 and 501 may be what an origin says to every range.
        #expect(trial.origin.requestCount("/a.mp4") == ([400, 501].contains(status) ? 2 : 1))
    }

    @Test("an origin that refuses every range is read as a whole", arguments: [400, 501])
    func refusesRanges(status: Int) throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.ranges = .refused(status) })
        let loader = try trial.loader()
        #expect(try loader.reader().some(10, at: 2_000_000) == content.read(2_000_000..<2_000_010))
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
        try loader.waitUntilComplete()
    }

    /// Asks for what there is none of, and ends the session.
    private func miss(_ trial: borrowing LoaderTrial) throws {
        let loader = try trial.loader()
        _ = #expect(throws: FetchError.self) { try loader.information() }
        loader.close()
    }

    @Test("nothing stays of a source that was not there, unless it was pinned")
    func leavesNothing() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.answers = [.status(404), .status(404)] })
        try miss(trial)
        let store = trial.library.store
        #expect(try store.list() == [])
        let key = try trial.loader().key
        #expect(try store.setPinned(true, key))
        try miss(trial)
        #expect(try store.list().map(\.key) == [key])
        // What is there later is kept as any other.
        trial.origin.change("/a.mp4") { $0.faults = OriginFaults() }
        let loader = try trial.loader()
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
        loader.close()
        #expect(try store.list().map(\.isComplete) == [true])
    }

    @Test("redirects are followed, five at most (C7)", arguments: [301, 302, 303, 307, 308])
    func redirects(status: Int) throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.redirect = .init(.hops(5), status: status) })
        #expect(try trial.loader().reader().everything() == LoaderTrial.bytes(content))
        trial.origin.serve("/b.mp4", object { $0.redirect = .init(.loop, status: status) })
        let error = #expect(throws: FetchError.self) { try trial.loader("/b.mp4").information() }
        #expect(error?.name == "invalid response")
        #expect(trial.origin.requestCount("/b.mp4") == 6)
    }

    @Test(
        "redirects to what is not permitted are refused without a connection",
        arguments: [
            "file:///etc/passwd", "ftp://127.0.0.1/a", "http://10.0.0.1/a",
            "http://[::ffff:a00:1]/",
            "http://user:secret@127.0.0.1/a", "http://169.254.169.254/latest",
        ])
    func deniedRedirects(location: String) throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.redirect = .init(.verbatim(location)) })
        let error = #expect(throws: FetchError.self) { try trial.loader().information() }
        #expect(error?.name == "denied")
        #expect(!"\(String(describing: error))".contains("secret"))
    }

    @Test("secret fields stay with their origin, harmless ones go along")
    func dropsSecrets() throws {
        let trial = try LoaderTrial {
            $0.originFields = [
                .init("Authorization", "Bearer s"), .init("Cookie", "c=1"), .init("X-Key", "k"),
                .init("User-Agent", "takeup"),
            ]
        }
        trial.origin.serve("/b.mp4", OriginObject(content))
        let other = "http://localhost:\(trial.origin.port)/b.mp4"
        trial.origin.serve("/a.mp4", object { $0.redirect = .init(.verbatim(other)) })
        _ = try trial.loader().information()
        let (first, second) = (trial.origin.requests("/a.mp4"), trial.origin.requests("/b.mp4"))
        #expect(first.first?.fields["Authorization"] == "Bearer s")
        #expect(second.first?.fields["Authorization"] == nil)
        #expect(second.first?.fields["Cookie"] == nil)
        #expect(second.first?.fields["X-Key"] == nil)
        #expect(second.first?.fields["User-Agent"] == "takeup")
    }
}
