import Foundation
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and the space that is left to others")
struct SpaceFloorTests {
    private static let floor: Int64 = 1_000_000
    private static let length: Int64 = 20_000_000
    private let content = LoaderTrial.content(length)

    /// A library on a disk that has so much left.
    private func library(
        _ trial: borrowing LoaderTrial, space: @escaping @Sendable () -> Int64
    ) throws -> SourceLibrary {
        var settings = LoaderTrial.settings()
        settings.storeLimits = SourceLimits(minFreeBytes: Self.floor)
        let store = try SourceStore(
            path: trial.folder.file("floored"), clock: { Date().timeIntervalSince1970 },
            space: space)
        return SourceLibrary(store: store, settings: settings)
    }

    private func stalled() -> OriginObject {
        var object = OriginObject(content)
        object.faults.stalls = [OriginStall(at: 3_000_000)]
        return object
    }

    @Test("what fits is stored for players, and what the store's limit would evict at once is not")
    func playersObjects() throws {
        let trial = try LoaderTrial { $0.storeLimits = SourceLimits(maxBytes: 19_000_000) }
        trial.origin.serve("/a.mp4", OriginObject(content))
        let roomy = try library(trial) { Self.floor + Self.length }
        defer { roomy.close() }
        for (library, isPassing) in [(trial.library, true), (roomy, false)] {
            let loader = try library.loader(for: trial.origin.url("/a.mp4"), sending: [])
            #expect(try !loader.reader().some(1, at: 0).isEmpty)
            #expect(loader.holdings.isPassing == isPassing)
        }
    }

    @Test("below it readers get each byte, nothing is left, and it is told (F3)")
    func passes() throws {
        let trial = try LoaderTrial()
        let free = Locked(Self.floor)
        let library = try library(trial) { free.withLock { $0 } }
        trial.origin.serve("/a.mp4", stalled())
        let loader = try library.loader(for: trial.origin.url("/a.mp4"))
        let reader = loader.reader()
        #expect(try reader.all(0..<3_000_000) == content.read(0..<3_000_000))
        #expect(loader.status.storageFailure == nil)
        free.withLock { $0 -= 1 }
        trial.origin.release("/a.mp4")
        let rest = 3_000_000..<Self.length
        #expect(try reader.all(rest) == content.read(rest))
        #expect(
            loader.status.storageFailure == .storage(path: library.store.path, errno: ENOSPC))
        #expect(try library.store.list().allSatisfy { $0.diskBytes < 64 << 10 })
    }

    @Test("below it who wants all of it kept is told; what is here stays, and is gone on from (F3)")
    func tells() throws {
        let trial = try LoaderTrial()
        let free = Locked(Self.floor - 1)
        let library = try library(trial) { free.withLock { $0 } }
        trial.origin.serve("/a.mp4", OriginObject(content))
        let loader = try library.loader(for: trial.origin.url("/a.mp4"))
        let error = #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
        #expect(error == .storage(path: library.store.path, errno: ENOSPC))
        // What one commit is of, and a piece.
        let present = loader.status.presentBytes
        #expect(present > 0 && present <= SourceFile.mostUncommittedBytes + 1 << 20, "\(present)")
        free.withLock { $0 = .max }
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
        #expect(loader.status.storageFailure == nil)
    }

    @Test("a body without an end stops there, and not when the disk is full")
    func endless() throws {
        let trial = try LoaderTrial()
        let (origin, url) = (trial.origin, trial.origin.url("/a.mp4"))
        // What is served is what is written, and what lies in sockets.
        let library = try library(trial) {
            Self.floor + 10_000_000 - origin.bytesServed("/a.mp4")
        }
        var object = OriginObject(content)
        (object.faults.ranges, object.faults.framing) = (.ignored, .endlessChunked)
        origin.serve("/a.mp4", object)
        let loader = try library.loader(for: url)
        let error = #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
        #expect(error == .storage(path: library.store.path, errno: ENOSPC))
        #expect(
            loader.status.presentBytes <= 10_000_000 + SourceFile.mostUncommittedBytes + 1 << 20)
        #expect(origin.requestCount("/a.mp4") == 1)
    }

    @Test("what nobody uses goes first, and the fetch goes on")
    func evicts() throws {
        let trial = try LoaderTrial()
        let old = LoaderTrial.content(100_000, seed: 7)
        trial.origin.serve("/old.mp4", OriginObject(old))
        trial.origin.serve("/a.mp4", OriginObject(content))
        let key = SourceKey(address: trial.origin.url("/old.mp4"))
        let path = "\(trial.folder.file("floored"))/\(key.shard)/\(key)"
        let isTight = Locked(false)
        // There is too little while the old one is there.
        let library = try library(trial) {
            isTight.withLock { $0 } && FileManager.default.fileExists(atPath: path)
                ? Self.floor - 1 : Self.floor
        }
        try library.loader(for: trial.origin.url("/old.mp4")).waitUntilComplete()
        #expect(
            trial.origin.wait { _ in (try? library.store.summary(key))??.isInUse == false })
        isTight.withLock { $0 = true }
        let loader = try library.loader(for: trial.origin.url("/a.mp4"))
        try loader.waitUntilComplete()
        #expect(loader.status.storageFailure == nil)
        #expect(try library.store.summary(key) == nil)
    }
}
