import Foundation
import TakeupFiles
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Store with faults")
struct StoreFaultTests {
    private let block = StoreBytes.block

    @Test("a byte that changed is found at the first read, and its block can be had again")
    func flipped() throws {
        let trial = try StoreTrial()
        let whole = StoreBytes.make(3 * block)
        let (key, path) = try fill(trial, whole)
        try change(path) { $0[Int(block) + 5] ^= 1 }
        let file = try trial.store.open(key, address: "")
        #expect(file.status.present.byteCount == 3 * block)
        #expect(try file.bytes(0..<(3 * block)) == Array(whole[..<Int(block)]))
        #expect(try file.bytes(block..<(block + 10)).isEmpty)
        #expect(try file.bytes((2 * block)..<(3 * block)).count == Int(block))
        #expect(file.status.droppedBlocks == 1)
        #expect(try file.sha256() == nil)
        try file.write(whole, block..<(2 * block))
        #expect(try file.sha256() == StoreBytes.hash(whole))
    }

    @Test("a dropped block stays absent")
    func staysDropped() throws {
        let trial = try StoreTrial()
        let whole = StoreBytes.make(3 * block)
        let (key, path) = try fill(trial, whole)
        try change(path) { $0[7] ^= 0x80 }
        do {
            let file = try trial.store.open(key, address: "")
            #expect(try file.bytes(0..<10).isEmpty)
        }
        let again = try trial.store.open(key, address: "")
        #expect(again.status.present == RangeSet([block..<(3 * block)]))
        let follower = try trial.store.open(key, address: "")
        #expect(follower.status.present == again.status.present)
    }

    @Test("data that were cut, replaced or removed lose their blocks", arguments: 0...3)
    func lostData(_ kind: Int) throws {
        let trial = try StoreTrial()
        let whole = StoreBytes.make(3 * block)
        let (key, path) = try fill(trial, whole)
        let victim = try trial.folder.write(Data(whole), to: "victim")
        switch kind {
        case 0: try change(path) { $0.removeLast(5) }
        case 1: try change(path) { $0 = [UInt8](repeating: 0, count: $0.count) }
        case 2: try FileManager.default.removeItem(atPath: path)
        default:
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: victim)
        }
        let file = try trial.store.open(key, address: "")
        #expect(try file.isTrue(to: whole))
        #expect(file.status.present.byteCount == (kind == 0 ? 2 * block : 0))
        _ = try file.bind(SourceVersion(validator: "\"a\"", length: 3 * block))
        try file.write(whole, 0..<(3 * block))
        #expect(try file.sha256() == StoreBytes.hash(whole))
        #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: victim))) == whole)
    }

    @Test("data that are cut under an open source are absent, not wrong")
    func cutWhileOpen() throws {
        let trial = try StoreTrial()
        let whole = StoreBytes.make(3 * block)
        let (key, path) = try fill(trial, whole)
        let file = try trial.store.open(key, address: "")
        #expect(try file.isTrue(to: whole))
        #expect(truncate(path, off_t(block + 5)) == 0)
        #expect(try file.bytes(0..<block).count == Int(block))
        #expect(try file.bytes(block..<(block + 10)).isEmpty)
        #expect(try file.bytes((2 * block)..<(2 * block + 10)).isEmpty)
        #expect(file.status.present == RangeSet([0..<block]))
    }

    @Test("a full disk is told apart, and what it did not take is not present")
    func fullDisk() throws {
        let trial = try StoreTrial()
        let whole = StoreBytes.make(3 * block)
        let file = try trial.open()
        _ = try file.bind(SourceVersion(validator: "\"a\"", length: 3 * block))
        try file.write(whole, 0..<block)
        let (good, full) = (
            file.state.withLock { $0.data },
            StoredFile(Foundation.open("/dev/full", O_RDWR | O_CLOEXEC), path: "/dev/full")
        )
        file.state.withLock { $0.data = full }
        let error = #expect(throws: FetchError.self) { try file.write(whole, block..<(2 * block)) }
        #expect(error == .storage(path: "/dev/full", errno: ENOSPC))
        #expect(error?.isDiskFull == true)
        #expect(file.status.present == RangeSet([0..<block]))
        file.state.withLock { $0.data = good }
        let journal = file.writing.withLock { writing in
            defer { writing.journal = full }
            return writing.journal
        }
        #expect(throws: FetchError.storage(path: "/dev/full", errno: ENOSPC)) { try file.commit() }
        #expect(try file.bytes(0..<block).count == Int(block))
        file.writing.withLock { $0.journal = journal }
        try file.write(whole, 0..<(3 * block))
        #expect(try file.sha256() == StoreBytes.hash(whole))
    }

    private func fill(
        _ trial: borrowing StoreTrial, _ whole: [UInt8]
    ) throws -> (SourceKey, data: String) {
        let file = try trial.open()
        _ = try file.bind(SourceVersion(validator: "\"a\"", length: Int64(whole.count)))
        try file.write(whole, 0..<Int64(whole.count))
        return (file.key, trial.dataPath(of: file))
    }

    private func change(_ path: String, _ body: (inout [UInt8]) -> Void) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        body(&bytes)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
