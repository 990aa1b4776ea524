import TakeupCurl
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and many sources of one host")
struct HostLoadTests {
    private let content = LoaderTrial.content(300_000)

    private func stalled() -> OriginObject {
        var object = OriginObject(content)
        object.faults.stalls = [OriginStall(at: 100_000)]
        return object
    }

    private func limited(_ most: Int) -> FetchSettings {
        var settings = LoaderTrial.settings()
        settings.connectionsPerHost = most
        return settings
    }

    private func name(of origin: TestOrigin) throws -> String {
        HostConnectionLimiter.host(try WebAddress(origin.url("/")))
    }

    @Test("twenty sources: so many transfers at once, the others wait, and each byte is right")
    func twenty() throws {
        let settings = limited(3)
        let trial = try LoaderTrial { $0 = settings }
        let paths = (0..<20).map { "/\($0).mp4" }
        for path in paths { trial.origin.serve(path, stalled()) }
        let (whole, right, group) = (try LoaderTrial.bytes(content), Locked(0), LaneGroup())
        for path in paths {
            let loader = try trial.loader(path)
            group.start("reader") {
                guard (try? loader.reader().equals(whole)) == true else { return }
                right.withLock { $0 += 1 }
            }
        }
        let host = try name(of: trial.origin)
        #expect(
            trial.origin.wait { origin in
                settings.hostTurns.line(at: host).waiting.count == 17
                    && origin.totals.openRequests == 3
            })
        // Whoever had not waited would have asked.
        #expect(trial.origin.totals.requests == 3 && trial.origin.totals.connections == 3)
        for path in paths { trial.origin.release(path) }
        group.wait()
        #expect(right.withLock { $0 } == 20)
        #expect(trial.origin.wait { _ in settings.hostTurns.line(at: host).isEmpty })
    }

    @Test("sessions with settings of their own wait in the same line")
    func ownSettings() throws {
        let settings = limited(1)
        let trial = try LoaderTrial { $0 = settings }
        for path in ["/a.mp4", "/b.mp4"] { trial.origin.serve(path, stalled()) }
        let (library, address, group) = (trial.library, trial.origin.url("/b.mp4"), LaneGroup())
        let first = try trial.loader().reader()
        #expect(try first.some(10, at: 0) == content.read(0..<10))
        let other = try library.loader(for: address, settings: limited(1))
        group.start("reader") { _ = try? other.information() }
        let host = try name(of: trial.origin)
        #expect(
            trial.origin.wait { _ in settings.hostTurns.line(at: host).waiting.count == 1 })
        trial.origin.release("/a.mp4")
        group.wait()
        #expect(try other.information().length == 300_000)
    }

    @Test("who is cancelled in line leaves it without having asked, and keeps nobody waiting")
    func cancelled() throws {
        let settings = limited(1)
        let trial = try LoaderTrial { $0 = settings }
        for path in ["/a.mp4", "/b.mp4", "/c.mp4"] { trial.origin.serve(path, stalled()) }
        let (ended, group) = (Locked<FetchError?>(nil), LaneGroup())
        let first = try trial.loader().reader()
        #expect(try first.some(10, at: 0) == content.read(0..<10))
        let (waits, behind) = (try trial.loader("/b.mp4"), try trial.loader("/c.mp4"))
        let reader = waits.reader()
        group.start("waits") {
            do throws(FetchError) {
                _ = try reader.some(10, at: 0)
            } catch {
                ended.withLock { $0 = error }
            }
        }
        let host = try name(of: trial.origin)
        let line = { settings.hostTurns.line(at: host).waiting.count }
        #expect(trial.origin.wait { _ in line() == 1 })
        group.start("behind") { _ = try? behind.information() }
        #expect(trial.origin.wait { _ in line() == 2 })
        reader.cancel()
        #expect(trial.origin.wait { _ in line() == 1 && waits.status.phase == .idle })
        #expect(ended.withLock { $0 } == .cancelled)
        trial.origin.release("/a.mp4")
        group.wait()
        #expect(try behind.information().length == 300_000)
        #expect(trial.origin.requestCount("/b.mp4") == 0)
        #expect(waits.log.originRequests == 0 && waits.log.retries == 0)
    }

    @Test("a transfer that waits for its readers keeps nobody from the host")
    func held() throws {
        var settings = limited(1)
        settings.keptBytes = 1_000_000
        let trial = try LoaderTrial { $0 = settings }
        let long = LoaderTrial.content(40_000_000)
        var object = OriginObject(long)
        object.faults.ranges = .ignored
        trial.origin.serve("/long.mp4", object)
        trial.origin.serve("/a.mp4", OriginObject(content))
        let reader = try trial.loader("/long.mp4").reader()
        #expect(try reader.all(0..<100_000) == long.read(0..<100_000))
        // The first one never ends by itself while nobody reads on.
        #expect(try trial.loader().reader().equals(LoaderTrial.bytes(content)))
        #expect(trial.origin.totals.openRequests == 1)
        let end: Range<Int64> = 39_000_000..<40_000_000
        #expect(try reader.all(end) == long.read(end))
    }

    @Test("readers far apart both come to their bytes at an origin that thinks for long")
    func thinking() throws {
        let trial = try LoaderTrial { $0 = limited(1) }
        let long = LoaderTrial.content(8_000_000)
        var object = OriginObject(long)
        object.faults.head.delaySeconds = 0.8
        trial.origin.serve("/a.mp4", object)
        let loader = try trial.loader()
        _ = try loader.information()
        let (group, read) = (LaneGroup(), Locked<[Int64]>([]))
        let readers = [Int64(0), 6_000_000].map { place in (place, loader.reader()) }
        for (place, reader) in readers {
            group.start("reader") {
                guard let bytes = try? reader.some(10, at: place),
                    bytes == (try? long.read(place..<(place + 10)))
                else { return }
                read.withLock { $0.append(place) }
            }
        }
        #expect(trial.origin.wait { _ in read.withLock { $0.count } == 2 })
        for (_, reader) in readers { reader.cancel() }
        group.wait()
    }
}
