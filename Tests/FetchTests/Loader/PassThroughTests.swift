import Foundation
import TakeupCurl
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader without a disk that takes the bytes")
struct PassThroughTests {
    private static let length: Int64 = 60_000_000
    private let content = LoaderTrial.content(length)

    private func object(_ change: (inout OriginFaults) -> Void = { _ in }) -> OriginObject {
        var object = OriginObject(content)
        change(&object.faults)
        return object
    }

    /// Lets the disk be full for a loader's source from now on, or fail it otherwise.
    private func fill(_ loader: ResourceLoader, errno reason: Int32 = ENOSPC) {
        let full =
            reason == ENOSPC
            ? StoredFile(Foundation.open("/dev/full", O_RDWR | O_CLOEXEC), path: "/dev/full")
            : StoredFile.none(path: "/dev/broken", errno: reason)
        loader.session.file.state.withLock { $0.data = full }
    }

    /// Reads all, comparing little at a time.
    private func isRight(_ reader: SourceReader, from start: Int64 = 0) throws -> Bool {
        var place = start
        while true {
            let bytes = try reader.some(256 << 10, at: place)
            if bytes.isEmpty { return place == Self.length }
            guard try content.read(place..<place + Int64(bytes.count)) == bytes else {
                return false
            }
            place += Int64(bytes.count)
        }
    }

    @Test("a full disk midway: readers get every byte, nothing is left, and it is told (F3)")
    func fullDisk() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.stalls = [OriginStall(at: 3_000_000)] })
        do {
            let loader = try trial.loader()
            let reader = loader.reader()
            // All that is on the disk: /dev/full gives zeros to who reads.
            #expect(try reader.all(0..<3_000_000) == content.read(0..<3_000_000))
            fill(loader)
            trial.origin.release("/a.mp4")
            #expect(try isRight(reader, from: 3_000_000))
            #expect(loader.status.storageFailure?.isDiskFull == true)
            #expect(loader.status.presentBytes <= SourceFile.mostPassingBytes)
            #expect(loader.log.result == "passed through")
            // Again from the beginning, and from places that are far from each other.
            #expect(try reader.all(0..<1000) == content.read(0..<1000))
            #expect(
                try reader.all(55_000_000..<55_001_000) == content.read(55_000_000..<55_001_000))
            #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
            // Room is made after each write, which begins and ends within a block.
            let most = Int(SourceFile.mostPassingBytes / BlockMap.blockBytes) + 2
            #expect(loader.session.file.state.withLock { $0.passing?.blocks.count ?? 0 } <= most)
            let kept = try #require(try trial.library.store.list().first)
            #expect(kept.presentBytes == 0 && kept.diskBytes < 64 << 10)
        }
        // Its lane may hold it for a moment longer.
        let store = trial.library.store
        #expect(
            trial.origin.wait { _ in
                _ = try? store.evict(SourceLimits())
                return (try? store.list())?.isEmpty == true
            })
        let served = trial.origin.bytesServed("/a.mp4")
        // Both places that were read again: each with what comes ahead of its reader, and what sockets hold.
        let more = 3 * SourceFile.passingAheadBytes
        #expect(served <= Self.length + more, "\(served - Self.length) more")
    }

    @Test(
        "a broken disk and a quota that is used up midway are passed by too (F3)",
        arguments: [EIO, EDQUOT])
    func failingDisk(reason: Int32) throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.stalls = [OriginStall(at: 3_000_000)] })
        let loader = try trial.loader()
        let reader = loader.reader()
        #expect(try reader.all(0..<3_000_000) == content.read(0..<3_000_000))
        fill(loader, errno: reason)
        trial.origin.release("/a.mp4")
        #expect(try isRight(reader, from: 3_000_000))
        let failure = FetchError.storage(path: "/dev/broken", errno: reason)
        #expect(loader.status.storageFailure == failure)
        #expect(failure.isDiskFull == (reason == EDQUOT))
        #expect(throws: failure) { try loader.waitUntilComplete() }
        let kept = try #require(try trial.library.store.list().first)
        #expect(kept.presentBytes == 0 && kept.diskBytes < 64 << 10)
    }

    @Test("an origin that ignores ranges waits for its readers, also for two far apart (F3)")
    func ignoresRanges() throws {
        let trial = try LoaderTrial { $0.keptBytes = 1_000_000 }
        trial.origin.serve("/a.mp4", object { $0.ranges = .ignored })
        let loader = try trial.loader()
        let reader = loader.reader()
        #expect(try reader.all(0..<100_000) == content.read(0..<100_000))
        // It stops, and does not read on to the end for nobody.
        usleep(200_000)
        #expect(loader.status.presentBytes <= SourceFile.passingAheadBytes + 1 << 20)
        #expect(try isRight(reader, from: 100_000))
        #expect(trial.origin.requestCount("/a.mp4") == 1)
        let (far, near) = (45_000_000..<45_050_000 as Range<Int64>, 0..<50_000 as Range<Int64>)
        let other = loader.reader()
        for _ in 0..<2 {
            #expect(try reader.all(far) == content.read(far))
            #expect(try other.all(near) == content.read(near))
        }
        #expect(loader.status.presentBytes <= SourceFile.mostPassingBytes)
        #expect(loader.status.storageFailure?.isDiskFull == true)
    }

    @Test("an object for which the disk has no room passes from its first byte")
    func noRoom() throws {
        let folder = try TemporaryDirectory()
        let origin = try TestOrigin()
        defer { origin.stop() }
        origin.serve("/a.mp4", object())
        var settings = LoaderTrial.settings()
        settings.storeLimits = SourceLimits(minFreeBytes: 10_000_000)
        let store = try SourceStore(
            path: folder.file("sources"), clock: { 1_000_000 }, space: { 60_000_000 })
        let library = SourceLibrary(store: store, settings: settings)
        defer { library.close() }
        let loader = try library.loader(for: origin.url("/a.mp4"), sending: [])
        #expect(try loader.information().length == Self.length)
        let reader = loader.reader()
        #expect(try !reader.some(1, at: 0).isEmpty)
        #expect(loader.holdings.isPassing && loader.holdings.originStatus == 206)
        #expect(try isRight(reader))
        #expect(origin.requestCount("/a.mp4") == 2)
        #expect(loader.status.presentBytes <= SourceFile.mostPassingBytes)
        #expect(try store.list().allSatisfy { $0.presentBytes == 0 })
    }

    @Test("a process without a free file is no fault of the source: its bytes stay")
    func outOfFiles() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.stalls = [OriginStall(at: 3_000_000)] })
        let loader = try trial.loader()
        let reader = loader.reader()
        #expect(try reader.all(0..<3_000_000) == content.read(0..<3_000_000))
        fill(loader, errno: EMFILE)
        trial.origin.release("/a.mp4")
        let failure = FetchError.storage(path: "/dev/broken", errno: EMFILE)
        #expect(throws: failure) { _ = try reader.all(3_000_000..<9_000_000) }
        #expect(loader.status.storageFailure == nil && failure.isOutOfFiles)
        #expect(loader.status.presentBytes >= 3_000_000)
    }

    @Test("an object above what may be kept evicts nothing and passes (F3, C13)")
    func aboveLimit() throws {
        let trial = try LoaderTrial { $0.keptBytes = 2_000_000 }
        let small = LoaderTrial.content(2_000_000, seed: 9)
        trial.origin.serve("/small.mp4", OriginObject(small))
        trial.origin.serve("/large.mp4", object())
        try trial.loader("/small.mp4").waitUntilComplete()
        let group = LaneGroup()
        let right = Locked(0)
        let loader = try trial.loader("/large.mp4")
        for _ in 0..<4 {
            group.start("reader") {
                guard (try? isRight(loader.reader())) == true else { return }
                right.withLock { $0 += 1 }
            }
        }
        group.wait()
        #expect(right.withLock { $0 } == 4)
        #expect(try trial.library.store.evict(SourceLimits(maxBytes: 2_200_000)).isEmpty)
        let small2 = try trial.another().loader(for: trial.origin.url("/small.mp4"))
        #expect(try small2.reader().everything() == LoaderTrial.bytes(small))
        #expect(trial.origin.requestCount("/small.mp4") <= 2)
    }

    @Test(
        "who wants all of it kept, or reads the file itself, is told instead (F3)",
        arguments: [ENOSPC, EIO, EDQUOT])
    func tells(reason: Int32) throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.stalls = [OriginStall(at: 3_000_000)] })
        let loader = try trial.loader()
        let reader = loader.reader()
        #expect(try reader.all(0..<3_000_000) == content.read(0..<3_000_000))
        let descriptor = try reader.descriptor()
        defer { close(descriptor) }
        fill(loader, errno: reason)
        trial.origin.release("/a.mp4")
        let error = #expect(throws: FetchError.self) { _ = try isRight(reader, from: 3_000_000) }
        guard case .storage(_, reason)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(loader.status.storageFailure == nil)
    }

    @Test("a store that cannot be written to is none, and each byte is right (F3)")
    func noStore() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object())
        let key = SourceKey(address: trial.origin.url("/a.mp4"))
        // As a read-only disk does: nothing can be made there, whoever asks.
        try Data().write(to: URL(fileURLWithPath: "\(trial.library.store.path)/\(key.shard)"))
        let loader = try trial.loader()
        #expect(try loader.information().length == Self.length)
        #expect(try isRight(loader.reader()))
        #expect(loader.status.storageFailure != nil)
        #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
        #expect(throws: FetchError.self) { try loader.reader().descriptor() }
    }

    @Test("what is in memory only is no byte of the file for who reads that (F3)")
    func handsNothing() throws {
        let trial = try LoaderTrial { $0.aheadBytes = 1 }
        trial.origin.serve("/a.mp4", object())
        let loader = try trial.loader()
        let (reader, session) = (loader.reader(), loader.session)
        #expect(try reader.all(0..<1000) == content.read(0..<1000))
        #expect(trial.origin.wait { _ in loader.status.phase == .idle })
        let full = FetchError.storage(path: "full", errno: ENOSPC)
        // It has decided to go on without the disk, and waits for a commit.
        session.commits.turn.wait()
        session.state.withLock { $0.waiters.append(ReadWaiter(.whole)) }
        let group = LaneGroup()
        group.start("pass") { _ = session.pass(after: full) }
        #expect(trial.origin.wait { _ in session.state.withLock { $0.waiters.isEmpty } })
        let error = #expect(throws: FetchError.self) { close(try reader.descriptor()) }
        session.commits.turn.signal()
        group.wait()
        #expect(error == full)
        #expect(session.file.passingCause == full)
        #expect(throws: full) { try reader.waitFor(0, count: 10) }
        #expect(try reader.all(0..<1000) == content.read(0..<1000))
        #expect(throws: full) { try loader.waitUntilComplete() }
    }

    @Test("an object that changes while it passes is never mixed (F3)")
    func changes() throws {
        let trial = try LoaderTrial { $0.keptBytes = 1 }
        var object = OriginObject(LoaderTrial.content(20_000_000, seed: 1))
        var later = OriginObject(
            LoaderTrial.content(20_000_000, seed: 2), tag: .strong("v2"),
            lastModified: 1_700_000_100)
        // Also of the answer that is under way at the change.
        (object.faults.cuts, later.faults.cuts) = (
            [OriginCut(.bodyBytes(3_000_000))], [OriginCut(.bodyBytes(3_000_000))]
        )
        object.successions = [OriginSuccession(after: .bytes(2_000_000), to: later)]
        trial.origin.serve("/a.mp4", object)
        let loader = try trial.loader()
        let error = #expect(throws: FetchError.self) { try loader.reader().everything() }
        #expect(error == .changed(address: trial.origin.url("/a.mp4")))
        let now = try LoaderTrial.bytes(LoaderTrial.content(20_000_000, seed: 2))
        #expect(try loader.reader().everything() == now)
        #expect(loader.log.versionChanges == 1)
    }

    @Test("without free descriptors for the store, bytes pass (F3)")
    func noDescriptors() async {
        await #expect(processExitsWith: .success) {
            let trial = try LoaderTrial()
            let content = LoaderTrial.content(3_000_000)
            trial.origin.serve("/a.mp4", OriginObject(content))
            trial.origin.serve("/b.mp4", OriginObject(content))
            // Whoever has an address has parsed it, and loaded libcurl with that.
            _ = try WebAddress("http://a/")
            var held: [Int32] = []
            while true {
                let next = Foundation.open("/dev/null", O_RDONLY | O_CLOEXEC)
                if next < 0 { break }
                held.append(next)
            }
            precondition(errno == EMFILE)
            let loader = try trial.loader()
            // Sockets and the name service take some.
            for descriptor in held.suffix(32) { close(descriptor) }
            let bytes = try loader.reader().everything()
            let whole = try LoaderTrial.bytes(content)
            precondition(bytes == whole)
            guard case .storage(_, EMFILE)? = loader.status.storageFailure else {
                preconditionFailure("\(loader.status)")
            }
            let other = try trial.loader("/b.mp4")
            try other.waitUntilComplete()
            precondition(other.status.storageFailure == nil)
        }
    }
}
