import Foundation
import TakeupFiles
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Noted blocks")
struct NotedBlocksTests {
    private let block = StoreBytes.block

    /// Writes whole blocks and notes them beside the writes, as a download does.
    private func note(
        _ blocks: Range<Int64>, of whole: [UInt8], in file: SourceFile
    ) throws {
        let range = Int(blocks.lowerBound * block)..<Int(blocks.upperBound * block)
        try whole.withUnsafeBytes { bytes in
            try file.write(
                UnsafeRawBufferPointer(rebasing: bytes[range]), at: Int64(range.lowerBound),
                generation: file.status.generation, leavesCommits: true)
        }
        try file.finishCommit(try #require(file.beginCommit()))
    }

    /// Sixteen of twenty.
    private func noted(_ trial: borrowing StoreTrial, _ whole: [UInt8]) throws -> SourceFile {
        let file = try trial.open()
        _ = try file.bind(SourceVersion(validator: "\"a\"", length: 20 * block))
        try note(0..<16, of: whole, in: file)
        return file
    }

    private func unsynced(_ file: SourceFile) -> Int {
        file.state.withLock { $0.map.unsynced.count }
    }

    @Test("a kill does not take them, though the disk was not waited for")
    func kill() throws {
        let trial = try StoreTrial()
        let whole = StoreBytes.make(20 * block)
        do { #expect(unsynced(try noted(trial, whole)) == 16) }
        let again = try trial.open()
        #expect(again.status.present == RangeSet([0..<(16 * block)]))
        #expect(try again.isTrue(to: whole))
        #expect(again.status.droppedBlocks == 0)
    }

    @Test("what a power cut takes of them is found by its checksum")
    func powerCut() throws {
        let trial = try StoreTrial()
        let whole = StoreBytes.make(20 * block)
        let path = trial.dataPath(of: try noted(trial, whole))
        let data = try #require(FileHandle(forUpdatingAtPath: path))
        // One block comes back as zeros, and the last ones are not there at all.
        try data.seek(toOffset: UInt64(3 * block))
        try data.write(contentsOf: Data(count: Int(block)))
        try data.truncate(atOffset: UInt64(14 * block + 5))
        try data.close()
        let again = try trial.open()
        #expect(try again.isTrue(to: whole))
        #expect(again.status.present == RangeSet([0..<(3 * block), 4 * block..<14 * block]))
    }

    @Test("the disk is waited for after five seconds, and before all of it counts as complete")
    func waits() throws {
        let trial = try StoreTrial()
        let whole = StoreBytes.make(20 * block)
        let file = try noted(trial, whole)
        trial.pass(2)
        try note(16..<17, of: whole, in: file)
        #expect(unsynced(file) == 17)
        trial.pass(3)
        try note(17..<18, of: whole, in: file)
        #expect(unsynced(file) == 0)
        try file.write(whole, 18 * block..<(20 * block))
        #expect(file.status.isComplete && unsynced(file) == 0)
    }
}
