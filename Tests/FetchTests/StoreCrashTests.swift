import Foundation
import TakeupFiles
import Testing

@testable import TakeupFetch

@Suite("Store after a crash")
struct StoreCrashTests {
    private let block = StoreBytes.block

    @Test("a journal that ends anywhere claims no block whose bytes are not there")
    func cutJournal() throws {
        let trial = try StoreTrial()
        let length = 5 * block + 99
        let whole = StoreBytes.make(length)
        let wholeData = Data(whole)
        let (key, data, journal) = try fill(trial, whole)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: journal)))
        let header = try #require(JournalHeader(bytes))
        for cut in 0...bytes.count {
            let records = JournalContent.records(
                Array(bytes[..<cut]), from: header.byteCount, header.generation)
            let map = records.reduce(into: BlockMap(length: length)) { $0.apply($1) }
            // What no record speaks of has not reached the disk.
            var left = Data(count: Int(length))
            for range in map.present.ranges {
                let part = Int(range.lowerBound)..<Int(range.upperBound)
                left.replaceSubrange(part, with: wholeData[part])
            }
            try left.write(to: URL(fileURLWithPath: data))
            try Data(bytes[..<cut]).write(to: URL(fileURLWithPath: journal))
            let file = try trial.store.open(key, address: "")
            let isHeaderWhole = cut >= header.byteCount
            #expect(file.status.present == (isHeaderWhole ? map.present : RangeSet()))
            #expect(try file.isTrue(to: whole), "cut at \(cut)")
            #expect(file.status.droppedBlocks == 0)
            guard !isHeaderWhole else { continue }
            // Opening began another generation in its place.
            #expect(file.status.version == nil)
            try FileManager.default.removeItem(atPath: trial.dataPath(of: file))
        }
    }

    @Test("a journal with garbage in any record is good up to there")
    func garbledJournal() throws {
        let trial = try StoreTrial()
        let whole = StoreBytes.make(5 * block + 99)
        let (key, _, journal) = try fill(trial, whole)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: journal)))
        let header = try #require(JournalHeader(bytes))
        for place in stride(from: header.byteCount, to: bytes.count, by: 5) {
            var garbled = bytes
            garbled[place] ^= 0x40
            try Data(garbled).write(to: URL(fileURLWithPath: journal))
            let file = try trial.store.open(key, address: "")
            #expect(try file.isTrue(to: whole))
            #expect(!file.status.isComplete || place >= bytes.count - JournalRecord.byteCount)
        }
    }

    @Test("a kill takes nothing that was committed")
    func kill() async throws {
        let trial = try StoreTrial()
        let path = trial.store.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try SourceStore(path: path) { 1_000_000 }
            let file = try store.open(SourceKey(address: "a"), address: "a")
            let whole = StoreBytes.make(4 * StoreBytes.block)
            _ = try file.bind(SourceVersion(validator: "v", length: 4 * StoreBytes.block))
            try file.write(whole, 0..<(2 * StoreBytes.block))
            try file.commit()
            try file.write(whole, (2 * StoreBytes.block)..<(3 * StoreBytes.block))
            Foundation.kill(getpid(), SIGKILL)
        }
        let file = try trial.store.open(SourceKey(address: "a"), address: "a")
        #expect(file.status.isWriter)
        #expect(file.status.present == RangeSet([0..<(2 * block)]))
        #expect(try file.isTrue(to: StoreBytes.make(4 * block)))
    }

    /// A whole source that was committed block by block, not in order.
    private func fill(
        _ trial: borrowing StoreTrial, _ whole: [UInt8]
    ) throws -> (SourceKey, data: String, journal: String) {
        let file = try trial.open()
        _ = try file.bind(SourceVersion(validator: "\"a\"", length: Int64(whole.count)))
        let map = BlockMap(length: Int64(whole.count))
        for number in [2, 0, 5, 1, 4, 3] as [UInt32] {
            try file.write(whole, map.range(of: number))
            try file.commit()
        }
        #expect(file.status.isComplete)
        let journal = trial.path(of: file, SourceLayout.journal)
        return (file.key, trial.dataPath(of: file), journal)
    }
}
