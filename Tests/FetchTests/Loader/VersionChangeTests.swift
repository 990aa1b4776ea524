import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader when the object changes")
struct VersionChangeTests {
    /// By what an origin tells two versions apart.
    enum Validator: CaseIterable {
        case strongTag, strongTagLonger, weakTag, strongDate, weakDate, longer, shorter

        func object(_ version: Int, cutAt bytes: Int64) -> OriginObject {
            let length: Int64 =
                switch self {
                case .strongTagLonger, .longer: 400_000 + Int64(version) * 1000
                case .shorter: 400_000 - Int64(version) * 1000
                default: 400_000
                }
            var object = OriginObject(
                .synthetic(length: length, seed: UInt64(version)), tag: .absent, lastModified: nil)
            switch self {
            case .strongTag, .strongTagLonger: object.tag = .strong("v\(version)")
            case .weakTag: object.tag = .weak("v\(version)")
            case .strongDate: object.lastModified = 1_700_000_000 + version * 60
            case .weakDate:
                object.lastModified = 1_700_000_000 + version * 60
                object.date = object.lastModified
            case .longer, .shorter: break
            }
            object.faults.cuts = [OriginCut(.bodyBytes(bytes))]
            return object
        }
    }

    @Test("never gives bytes of two versions to one reader (C5)", arguments: Validator.allCases)
    func neverMixes(validator: Validator) throws {
        let trial = try LoaderTrial()
        var random = SeededRandom(state: 3)
        let versions = try [1, 2].map { version in
            try LoaderTrial.bytes(validator.object(version, cutAt: 1).content)
        }
        var changes = 0
        for run in 0..<20 {
            let path = "/\(run).mp4"
            let cut = Int64(60_000 + random.next() % 90_000)
            var object = validator.object(1, cutAt: cut)
            object.successions = [
                OriginSuccession(
                    after: .bytes(Int64(random.next() % 390_000)),
                    to: validator.object(2, cutAt: cut))
            ]
            trial.origin.serve(path, object)
            let loader = try trial.loader(path)
            let reader = loader.reader()
            var place = 0
            do {
                let first = try reader.some(1, at: 0)
                let mine = versions[first == [versions[0][0]] ? 0 : 1]
                while true {
                    let bytes = try reader.some(30_000, at: Int64(place))
                    if bytes.isEmpty { break }
                    try #require(bytes.isEqual(to: mine, at: place))
                    place += bytes.count
                }
                #expect(place == mine.count)
            } catch let error as FetchError {
                guard case .changed = error else { throw error }
                changes += 1
                #expect(throws: error) { try reader.some(1, at: 0) }
            }
            try loader.waitUntilComplete()
            let now = try loader.reader().everything()
            #expect(now == versions[0] || now == versions[1])
            #expect(loader.log.versionChanges <= 2)
        }
        #expect(changes > 0)
    }

    @Test("an origin whose object changes each time ends in a typed error")
    func changesForEver() throws {
        let trial = try LoaderTrial()
        var object = OriginObject(LoaderTrial.content(5_000_000), tag: .absent, lastModified: nil)
        for change in 1...30 {
            let next = OriginObject(
                LoaderTrial.content(5_000_000 + Int64(change)), tag: .absent, lastModified: nil)
            object.successions.append(OriginSuccession(after: .requests(1), to: next))
        }
        trial.origin.serve("/a.mp4", object)
        let loader = try trial.loader()
        let error = #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
        #expect(error == .changed(address: trial.origin.url("/a.mp4")))
        #expect(trial.origin.requestCount("/a.mp4") <= 12)
    }

    @Test("nodes with tags of their own are one version when length and date agree (C7)")
    func nodes() throws {
        let trial = try LoaderTrial()
        let content = LoaderTrial.content(5_000_000)
        var object = OriginObject(content, tag: .perRequest)
        object.faults.redirect = OriginRedirect(.hops(2), alternatesHosts: true)
        trial.origin.serve("/a.mp4", object)
        let loader = try trial.loader()
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
        #expect(loader.log.versionChanges == 0)
    }

    @Test("what is stored is asked about, and goes when the origin has another (C5)")
    func revalidates() throws {
        let trial = try LoaderTrial { $0.freshSeconds = 0 }
        trial.origin.serve("/a.mp4", OriginObject(LoaderTrial.content(300_000)))
        try trial.loader().waitUntilComplete()
        let served = trial.origin.bytesServed("/a.mp4")
        #expect(trial.origin.wait { _ in trial.logs.withLock { $0.count } == 1 })
        let library = try trial.another { $0.freshSeconds = 0 }
        try library.loader(for: trial.origin.url("/a.mp4")).waitUntilComplete()
        #expect(trial.origin.bytesServed("/a.mp4") == served)
        #expect(trial.origin.requests("/a.mp4").last?.status == 304)
        #expect(trial.origin.wait { _ in trial.logs.withLock { $0.count } == 2 })
        let next = LoaderTrial.content(300_000, seed: 2)
        trial.origin.replace(
            "/a.mp4", with: OriginObject(next, tag: .strong("v2"), lastModified: 1_700_000_100))
        let loader = try trial.another { $0.freshSeconds = 0 }
            .loader(for: trial.origin.url("/a.mp4"))
        #expect(try loader.reader().everything() == LoaderTrial.bytes(next))
        #expect(loader.log.versionChanges == 1)
    }
}
