import Foundation
import TakeupFiles
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("SourceStore")
struct SourceStoreTests {
    @Test("lists what is here, with what it takes up")
    func lists() throws {
        let trial = try StoreTrial()
        let whole = StoreBytes.make(StoreBytes.block)
        do {
            let file = try trial.open()
            _ = try file.bind(SourceVersion(validator: "v", length: 1 << 40))
            try file.write(whole, 0..<StoreBytes.block)
            try file.commit()
            #expect(try trial.store.list().map(\.isInUse) == [true])
        }
        let source = try #require(try trial.store.list().first)
        #expect(source.entry == SourceEntry(address: "https://a.example/clip.mp4", createdAt: 1e6))
        #expect(source.presentBytes == StoreBytes.block)
        #expect(source.version == SourceVersion(validator: "v", length: 1 << 40))
        #expect(!source.isComplete && !source.isInUse)
        #expect((StoreBytes.block..<(2 * StoreBytes.block)).contains(source.diskBytes))
    }

    @Test("one that is not here is not made by looking for it")
    func looksUp() throws {
        let trial = try StoreTrial()
        let key = SourceKey(address: "nobody")
        #expect(try trial.store.existing(key) == nil)
        #expect(try trial.store.summary(key) == nil)
        #expect(try trial.store.remove(key) == .missing)
        #expect(try !trial.store.setPinned(true, key))
        #expect(try trial.store.list().isEmpty)
    }

    @Test("a source that is in use goes when it is not any more")
    func removes() throws {
        let trial = try StoreTrial()
        var file: SourceFile? = try trial.open()
        let key = try #require(file?.key)
        _ = try file?.bind(SourceVersion(validator: "v", length: 5))
        try file?.write([1, 2, 3, 4, 5], 0..<5)
        #expect(try trial.store.remove(key) == .deferred)
        #expect(try file?.bytes(0..<5) == [1, 2, 3, 4, 5])
        file = nil
        #expect(try trial.store.existing(key) == nil)
        let fresh = try trial.open()
        #expect(fresh.status.present.isEmpty)
        #expect(try trial.store.setPinned(true, key))
        #expect(try trial.store.remove(key) == .pinned)
    }

    @Test("a source that was to go while it was in use is gone after an eviction")
    func sweeps() throws {
        let trial = try StoreTrial()
        var file: SourceFile? = try trial.open()
        let key = try #require(file?.key)
        #expect(try trial.store.remove(key) == .deferred)
        #expect(try trial.store.evict(SourceLimits()).isEmpty)
        #expect(try trial.store.list().map(\.entry.isDoomed) == [true])
        file = nil
        #expect(try trial.store.evict(SourceLimits()).isEmpty)
        #expect(try trial.store.list().isEmpty)
    }

    @Test("what is pinned or in use outlives every limit; the least recently used goes first")
    func evicts() throws {
        let trial = try StoreTrial()
        let names = ["old", "used", "held", "pinned", "new"]
        for name in names { _ = try trial.open(name) }
        let held = try trial.open("held")
        #expect(try trial.store.setPinned(true, SourceKey(address: "pinned")))
        for name in ["old", "used", "new"] {
            trial.pass(100)
            #expect(try trial.store.touch(SourceKey(address: name)))
        }
        let evicted = try trial.store.evict(SourceLimits(maxEntries: 4))
        #expect(evicted.map(\.key) == [SourceKey(address: "old")])
        #expect(evicted.map(\.outcome) == [.removed])
        #expect(evicted.map(\.reason) == [.overCount])
        #expect(try trial.store.evict(SourceLimits(unusedSeconds: 100)).map(\.reason) == [.unused])
        #expect(try trial.store.evict(SourceLimits(expiresSeconds: 1)).map(\.reason) == [.expired])
        #expect(try trial.store.evict(SourceLimits(maxBytes: 0, minFreeBytes: .max)).isEmpty)
        #expect(try trial.store.list().count == 2)
        #expect(held.status.isWriter)
    }

    @Test("limits by bytes and by free space, oldest use first")
    func limits() throws {
        let trial = try StoreTrial()
        for name in ["a", "b", "c"] {
            _ = try trial.open(name)
            trial.pass(100)
        }
        var sources = try trial.store.list()
        for place in sources.indices { sources[place].diskBytes = 100 }
        func keys(_ limits: SourceLimits, free: Int64 = 0) -> [SourceKey] {
            limits.victims(among: sources, now: 2e6, freeBytes: free).map(\.source.key)
        }
        let all = ["a", "b", "c"].map { SourceKey(address: $0) }
        #expect(keys(SourceLimits(maxBytes: 300)).isEmpty)
        #expect(keys(SourceLimits(maxBytes: 299)) == [all[0]])
        #expect(keys(SourceLimits(maxBytes: 100)) == [all[0], all[1]])
        #expect(keys(SourceLimits(minFreeBytes: 250), free: 100) == [all[0], all[1]])
        #expect(keys(SourceLimits(expiresSeconds: 2e6)).isEmpty)
        #expect(keys(SourceLimits(expiresSeconds: 10)) == all)
    }

    @Test("puts its folders in order and follows no link")
    func reconciles() throws {
        let trial = try StoreTrial()
        let files = FileManager.default
        let kept = try trial.open("kept").key
        let damaged = try trial.open("damaged").key
        let victim = try trial.folder.write(Data([1, 2, 3]), to: "victim")
        try Data().write(to: URL(fileURLWithPath: "\(trial.path(of: damaged))/blocks"))
        try Data([9]).write(to: URL(fileURLWithPath: "\(trial.path(of: kept))/stranger"))
        try files.createSymbolicLink(
            atPath: "\(trial.store.path)/ff", withDestinationPath: trial.folder.path)
        try files.createSymbolicLink(
            atPath: "\(trial.path(of: kept))/data-1", withDestinationPath: victim)
        try files.createDirectory(
            atPath: "\(trial.store.path)/staging/half", withIntermediateDirectories: false)
        try Data().write(to: URL(fileURLWithPath: "\(trial.path(of: kept))/.takeup-1.partial"))
        let repair = try trial.another().reconcile()
        #expect(repair == SourceRepair(removed: 0, quarantined: 4, leftovers: 2))
        #expect(try trial.store.list().map(\.key) == [kept])
        #expect(files.contents(atPath: victim) == Data([1, 2, 3]))
        #expect(try trial.store.reconcile() == SourceRepair())
        _ = try trial.open("damaged")
    }

    @Test("what is in use is left alone")
    func reconcilesAround() throws {
        let trial = try StoreTrial()
        let file = try trial.open()
        #expect(try trial.store.remove(file.key) == .deferred)
        #expect(try trial.another().reconcile() == SourceRepair())
        _ = try file.bind(SourceVersion(validator: "v", length: 1))
    }

    @Test("a lost entry is made anew")
    func losesEntry() throws {
        let trial = try StoreTrial()
        let key = try trial.open().key
        try Data("{".utf8).write(to: URL(fileURLWithPath: "\(trial.path(of: key))/entry.json"))
        #expect(try trial.store.list().map(\.entry.address) == [""])
        _ = try trial.open()
        #expect(try trial.store.list().map(\.entry.address) == ["https://a.example/clip.mp4"])
    }

    @Test("many that open the same source at once get one folder and one writer")
    func opensAtOnce() throws {
        let trial = try StoreTrial()
        let (path, now) = (trial.store.path, trial.now)
        let opened = Locked<[SourceFile]>([])
        let group = LaneGroup()
        for number in 0..<8 {
            group.start("open-\(number)") {
                guard let store = try? StoreTrial.store(path, now),
                    let file = try? store.open(SourceKey(address: "same"), address: "same")
                else { return }
                opened.withLock { $0.append(file) }
            }
        }
        group.wait()
        let files = opened.withLock { $0 }
        #expect(files.count == 8)
        #expect(files.filter(\.status.isWriter).count == 1)
        #expect(try trial.store.list().count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(path)/staging").isEmpty)
    }

    @Test("refuses a root that is a link or that others may write to")
    func refusesRoot() throws {
        let trial = try StoreTrial()
        let link = trial.folder.file("link")
        symlink(trial.store.path, link)
        #expect(throws: FetchError.self) { try SourceStore(path: link) { 0 } }
        #expect(chmod(trial.store.path, 0o777) == 0)
        #expect(throws: FetchError.storage(path: trial.store.path, errno: EPERM)) {
            try trial.another()
        }
    }
}
