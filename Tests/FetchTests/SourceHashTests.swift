import Foundation
import TakeupDigest
import Testing

@testable import TakeupFetch

@Suite("Hash of a source")
struct SourceHashTests {
    private let block = StoreBytes.block

    private func digits(_ bytes: [UInt8]) throws -> String {
        let digest = try #require(RunningDigest(.sha256))
        digest.update(bytes)
        return try #require(try digest.finish(open("/dev/null", O_RDONLY | O_CLOEXEC)))
    }

    @Test(
        "is that of its bytes, in whatever order they come",
        arguments: [[0, 1, 2, 3], [3, 0, 1, 2], [1, 0, 3, 2], [3, 2, 1, 0]])
    func orders(order: [Int64]) throws {
        let trial = try StoreTrial()
        let whole = StoreBytes.make(3 * block + 99)
        let file = try trial.open()
        file.hashAsItComes()
        _ = try file.bind(SourceVersion(validator: "\"a\"", length: 3 * block + 99))
        for place in order {
            try file.write(whole, (place * block)..<min((place + 1) * block, 3 * block + 99))
            try file.commit()
        }
        let expected = try digits(whole)
        #expect(try file.sha256() == expected)
        #expect(try file.sha256() == expected)
        #expect(try trial.open().sha256() == expected)
    }

    @Test("begins anew with another version, and when what was hashed is wrong on the disk")
    func changes() throws {
        let trial = try StoreTrial()
        let (old, new) = (StoreBytes.make(2 * block), StoreBytes.make(2 * block, version: 2))
        let file = try trial.open()
        file.hashAsItComes()
        _ = try file.bind(SourceVersion(validator: "\"a\"", length: 2 * block))
        try file.write(old, 0..<block)
        try file.commit()
        _ = try file.bind(SourceVersion(validator: "\"b\"", length: 2 * block))
        try file.write(new, 0..<block)
        try file.commit()
        #expect(try file.sha256() == nil)
        file.forgetHash()
        try file.write(new, block..<(2 * block))
        try file.commit()
        #expect(try file.sha256() == digits(new))
    }
}
