import Foundation
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader over a damaged store")
struct DamageTests {
    private static let blocks: Int64 = 4
    private static let length = blocks * BlockMap.blockBytes

    /// What becomes of a stored source between two runs.
    enum Damage: CaseIterable {
        case byte, cutData, zeroData, noData, linkedData, folderAsData, pipeAsData
        case emptyJournal, zeroJournal, garbageJournal, oldJournal, cutJournal, noJournal
        case noEntry, garbageEntry

        /// Blocks that have to come again.
        var lostBlocks: ClosedRange<Int64> {
            switch self {
            case .byte, .cutData: 1...1
            case .cutJournal: 1...4
            case .noEntry, .garbageEntry: 0...0
            default: 4...4
            }
        }
    }

    @Test(
        "is found at the first read, and only what is lost comes again (F7)",
        arguments: Damage.allCases)
    func heals(_ damage: Damage) throws {
        let trial = try LoaderTrial()
        let content = LoaderTrial.content(Self.length)
        trial.origin.serve("/a.mp4", OriginObject(content))
        let victim = try trial.folder.write(Data(repeating: 7, count: 1 << 20), to: "victim")
        try trial.loader().waitUntilComplete()
        #expect(trial.origin.wait { _ in trial.logs.withLock { $0.count } == 1 })
        let key = SourceKey(address: trial.origin.url("/a.mp4"))
        try Self.apply(damage, in: "\(trial.library.store.path)/\(key.shard)/\(key)", victim)
        let served = trial.origin.bytesServed("/a.mp4")
        let library = try trial.another()
        _ = try library.store.reconcile()
        let loader = try library.loader(for: trial.origin.url("/a.mp4"))
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
        try loader.waitUntilComplete()
        #expect(try loader.sha256() != nil)
        let again = trial.origin.bytesServed("/a.mp4") - served
        let block = BlockMap.blockBytes
        let lost = damage.lostBlocks
        #expect(again >= lost.lowerBound * block && again <= lost.upperBound * block, "\(again)")
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: victim)) == Data(repeating: 7, count: 1 << 20)
        )
        #expect(loader.status.storageFailure == nil)
    }

    private static func apply(_ damage: Damage, in folder: String, _ victim: String) throws {
        let files = FileManager.default
        let names = try files.contentsOfDirectory(atPath: folder)
        let data = "\(folder)/\(try #require(names.first { $0.hasPrefix("data-") }))"
        let (journal, entry) = ("\(folder)/blocks", "\(folder)/entry.json")
        switch damage {
        case .byte: try change(data) { $0[$0.count / 2] ^= 1 }
        case .cutData: try change(data) { $0.removeLast(9) }
        case .zeroData: try change(data) { $0 = Data(count: $0.count) }
        case .noData: try files.removeItem(atPath: data)
        case .linkedData:
            try files.removeItem(atPath: data)
            try files.createSymbolicLink(atPath: data, withDestinationPath: victim)
        case .folderAsData:
            try files.removeItem(atPath: data)
            try files.createDirectory(atPath: data, withIntermediateDirectories: false)
        case .pipeAsData:
            try files.removeItem(atPath: data)
            #expect(mkfifo(data, 0o600) == 0)
        case .emptyJournal: try change(journal) { $0 = Data() }
        case .zeroJournal: try change(journal) { $0 = Data(count: $0.count) }
        case .garbageJournal: try change(journal) { $0 = Data($0.map { $0 &* 31 &+ 7 }) }
        case .oldJournal: try change(journal) { $0[8] = 0 }
        case .cutJournal: try change(journal) { $0.removeLast(21) }
        case .noJournal: try files.removeItem(atPath: journal)
        case .noEntry: try files.removeItem(atPath: entry)
        case .garbageEntry: try change(entry) { $0 = Data("[1".utf8) }
        }
    }

    private static func change(_ path: String, _ body: (inout Data) -> Void) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        body(&bytes)
        try bytes.write(to: URL(fileURLWithPath: path))
    }
}
