import Foundation
import TakeupFiles
import Testing

@testable import TakeupFetch

@Suite("SourceFile")
struct SourceFileTests {
    private let block = StoreBytes.block

    @Test("what was written can be read at once, and nothing else")
    func writesAndReads() throws {
        let trial = try StoreTrial()
        let whole = StoreBytes.make(3 * block)
        let file = try trial.open()
        #expect(try file.bind(SourceVersion(validator: "\"a\"", length: 3 * block)) == .startedOver)
        try file.write(whole, 1000..<5000)
        try file.write(whole, (block - 10)..<(block + 10))
        #expect(file.status.present == RangeSet([1000..<5000, (block - 10)..<(block + 10)]))
        #expect(try file.bytes(1000..<9000) == Array(whole[1000..<5000]))
        #expect(try file.bytes(0..<100).isEmpty)
        #expect(try file.bytes((block - 5)..<(block + 5)).count == 10)
        #expect(try file.isTrue(to: whole))
    }

    @Test("what was committed is there after the next opening, the rest is not")
    func commits() throws {
        let trial = try StoreTrial()
        let whole = StoreBytes.make(3 * block + 77)
        let version = SourceVersion(validator: "\"a\"", length: 3 * block + 77)
        do {
            let file = try trial.open()
            _ = try file.bind(version)
            try file.write(whole, block..<(2 * block + 5))
            try file.write(whole, (3 * block)..<(3 * block + 77))
            try file.commit()
        }
        let again = try trial.open()
        #expect(
            again.status.present == RangeSet([block..<(2 * block), 3 * block..<3 * block + 77]))
        #expect(again.status.version == version)
        #expect(try again.bind(version) == .kept)
        #expect(try again.isTrue(to: whole))
    }

    @Test("much that was written, or a second, commits by itself")
    func commitsByItself() throws {
        let trial = try StoreTrial()
        let whole = StoreBytes.make(20 * block)
        do {
            let file = try trial.open()
            _ = try file.bind(SourceVersion(validator: "\"a\"", length: 20 * block))
            try file.write(whole, 0..<(16 * block))
            try file.write(whole, (16 * block)..<(17 * block))
            trial.pass(1)
            try file.write(whole, (17 * block)..<(18 * block))
            try file.write(whole, (18 * block)..<(19 * block))
        }
        #expect(try trial.open().status.present == RangeSet([0..<(18 * block)]))
    }

    @Test("another version throws the old bytes away, and their readers hear of it")
    func changes() throws {
        let trial = try StoreTrial()
        let (old, new) = (StoreBytes.make(2 * block), StoreBytes.make(2 * block, version: 2))
        let file = try trial.open()
        _ = try file.bind(SourceVersion(validator: "\"a\"", length: 2 * block))
        try file.write(old, 0..<(2 * block))
        let generation = file.status.generation
        #expect(try file.bind(SourceVersion(validator: "\"b\"", length: 2 * block)) == .startedOver)
        #expect(file.status.present.isEmpty)
        #expect(throws: FetchError.changed(address: file.address)) {
            try file.bytes(0..<10, generation: generation)
        }
        #expect(throws: FetchError.changed(address: file.address)) {
            try old.withUnsafeBytes { try file.write($0, at: 0, generation: generation) }
        }
        try file.write(new, 0..<block)
        try file.commit()
        #expect(try file.isTrue(to: new))
        #expect(file.status.present == RangeSet([0..<block]))
    }

    @Test("another length of the same validator is another version")
    func changesLength() throws {
        let trial = try StoreTrial()
        let file = try trial.open()
        let whole = StoreBytes.make(2 * block)
        _ = try file.bind(SourceVersion(validator: "", length: 2 * block))
        try file.write(whole, 0..<block)
        #expect(try file.bind(SourceVersion(validator: "")) == .kept)
        #expect(try file.bind(SourceVersion(validator: "", length: 2 * block - 1)) == .startedOver)
        _ = try file.bind(SourceVersion(validator: "x"))
        try file.write(whole, 0..<200)
        #expect(try file.bind(SourceVersion(validator: "x", length: 199)) == .startedOver)
    }

    @Test("a length that is learnt late makes the last block whole")
    func learnsLength() throws {
        let trial = try StoreTrial()
        let whole = StoreBytes.make(block + 5)
        do {
            let file = try trial.open()
            _ = try file.bind(SourceVersion(validator: "\"a\""))
            try file.write(whole, 0..<(block + 5))
            #expect(!file.status.isComplete)
            #expect(try file.bind(SourceVersion(validator: "\"a\"", length: block + 5)) == .kept)
            #expect(file.status.isComplete)
        }
        let again = try trial.open()
        #expect(again.status.isComplete)
        #expect(again.status.length == block + 5)
        #expect(try again.isTrue(to: whole))
        #expect(try again.sha256() == StoreBytes.hash(whole))
    }

    @Test("an empty source is complete, and one that is not complete has no hash")
    func completes() throws {
        let trial = try StoreTrial()
        let file = try trial.open()
        _ = try file.bind(SourceVersion(validator: "\"a\"", length: 0))
        #expect(file.status.isComplete)
        #expect(try file.sha256() == StoreBytes.hash([]))
        _ = try file.bind(SourceVersion(validator: "\"a\"", length: 10))
        #expect(try file.sha256() == nil)
    }

    @Test("bytes behind the end are refused, and bytes that are here stay")
    func refusesBehindEnd() throws {
        let trial = try StoreTrial()
        let (whole, other) = (StoreBytes.make(2 * block), StoreBytes.make(2 * block, version: 2))
        let file = try trial.open()
        _ = try file.bind(SourceVersion(validator: "\"a\"", length: block))
        for range in [0..<(block + 1), (block + 1)..<(block + 2)] {
            #expect(throws: FetchError.self) { try file.write(whole, range) }
        }
        #expect(throws: FetchError.self) {
            try file.bind(SourceVersion(validator: String(repeating: "x", count: 9000)))
        }
        try file.write(whole, 0..<block)
        try file.write(other, 0..<block)
        #expect(try file.bytes(0..<block) == Array(whole[..<Int(block)]))
    }

    @Test("a second one follows the writer, and takes over when it is gone")
    func follows() throws {
        let trial = try StoreTrial()
        let whole = StoreBytes.make(3 * block)
        var writer: SourceFile? = try trial.open()
        let version = SourceVersion(validator: "\"a\"", length: 3 * block)
        _ = try writer?.bind(version)
        let follower = try trial.another().open(
            SourceKey(address: "https://a.example/clip.mp4"), address: "")
        #expect(!follower.status.isWriter)
        #expect(follower.status.version == version)
        try writer?.write(whole, 0..<block)
        #expect(try !follower.refresh())
        try writer?.commit()
        #expect(try follower.refresh())
        #expect(follower.status.present == RangeSet([0..<block]))
        #expect(try follower.isTrue(to: whole))
        #expect(try !follower.takeOver())
        writer = nil
        #expect(try follower.takeOver())
        try follower.write(whole, block..<(3 * block))
        #expect(follower.status.isComplete)
        #expect(try follower.sha256() == StoreBytes.hash(whole))
    }

    @Test("a follower of the old version never gets a byte of the new one")
    func followsChange() throws {
        let trial = try StoreTrial()
        let (old, new) = (StoreBytes.make(block), StoreBytes.make(block, version: 2))
        let writer = try trial.open()
        _ = try writer.bind(SourceVersion(validator: "\"a\"", length: block))
        try writer.write(old, 0..<block)
        let follower = try trial.open()
        let generation = follower.status.generation
        _ = try writer.bind(SourceVersion(validator: "\"b\"", length: block))
        try writer.write(new, 0..<block)
        #expect(try follower.bytes(0..<block) == old)
        #expect(try follower.refresh())
        #expect(throws: FetchError.self) { try follower.bytes(0..<block, generation: generation) }
        #expect(try follower.bytes(0..<block) == new)
    }
}
