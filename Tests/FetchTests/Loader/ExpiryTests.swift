import TakeupCurl
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and signed addresses")
struct ExpiryTests {
    private let content = LoaderTrial.content(4_000_000)

    private func serve(_ origin: TestOrigin) {
        var object = OriginObject(content)
        object.faults.expiry = OriginExpiry(after: .bytes(2_000_000))
        origin.serve("/a.mp4", object)
    }

    @Test("a new address goes on at the same place (C8)")
    func refreshes() throws {
        let trial = try LoaderTrial()
        serve(trial.origin)
        let calls = Locked(0)
        var settings = LoaderTrial.settings()
        let origin = trial.origin
        settings.key = { $0.path }
        settings.refresh = { _ in
            calls.withLock { $0 += 1 }
            origin.rotateToken("/a.mp4")
            return try? WebAddress(origin.signedURL("/a.mp4"))
        }
        let loader = try trial.library.loader(
            for: origin.signedURL("/a.mp4"), settings: settings)
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
        #expect(calls.withLock { $0 } == 1)
        #expect(Double(origin.bytesServed("/a.mp4")) <= 1.02 * 4_000_000)
        #expect(!loader.log.url.contains("token"))
    }

    @Test("without a new address the end is told, and what is here stays")
    func tellsExpiry() throws {
        let trial = try LoaderTrial { $0.key = { $0.path } }
        serve(trial.origin)
        let address = trial.origin.signedURL("/a.mp4")
        do {
            let loader = try trial.library.loader(for: address)
            let error = #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
            #expect(error?.name == "expired")
            #expect(loader.status.presentBytes >= 1_500_000)
        }
        trial.origin.change("/a.mp4") { $0.faults.expiry = OriginExpiry(after: nil) }
        trial.origin.rotateToken("/a.mp4")
        let loader = try trial.library.loader(for: trial.origin.signedURL("/a.mp4"))
        try loader.waitUntilComplete()
        #expect(Double(trial.origin.bytesServed("/a.mp4")) <= 1.02 * 4_000_000 + 262_144)
    }

    @Test("an address that a refresh does not heal is asked for once")
    func refreshesOnce() throws {
        let trial = try LoaderTrial {
            $0.key = { $0.path }
            $0.refresh = { $0 }
        }
        serve(trial.origin)
        let loader = try trial.library.loader(for: trial.origin.signedURL("/a.mp4"))
        let error = #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
        #expect(error?.name == "expired")
    }

    @Test("an address that somebody brings takes no good one's place (C8)")
    func keepsGood() throws {
        let trial = try LoaderTrial {
            $0.key = { $0.path }
            $0.aheadBytes = 1
        }
        let (origin, library) = (trial.origin, trial.library)
        var object = OriginObject(content)
        object.faults.expiry = OriginExpiry(after: nil)
        origin.serve("/a.mp4", object)
        let loader = try library.loader(for: origin.signedURL("/a.mp4"))
        let reader = loader.reader()
        #expect(try reader.all(0..<1000) == content.read(0..<1000))
        // Such as an older signature, whose right has ended.
        _ = try library.loader(for: origin.url("/a.mp4?token=none"))
        let range: Range<Int64> = 1_500_000..<1_600_000
        #expect(try reader.all(range) == content.read(range))
        #expect(origin.requests("/a.mp4").allSatisfy { $0.status == 206 })
        // Once the one in use is refused, the newest takes its place, in the same session.
        origin.rotateToken("/a.mp4")
        let error = #expect(throws: FetchError.self) { try reader.some(10, at: 3_000_000) }
        #expect(error?.name == "expired")
        _ = try library.loader(for: origin.signedURL("/a.mp4"))
        let before = origin.requestCount("/a.mp4")
        #expect(try reader.some(10, at: 3_000_000) == content.read(3_000_000..<3_000_010))
        #expect(origin.requests("/a.mp4").dropFirst(before).allSatisfy { $0.status == 206 })
    }
}
