import TakeupFiles
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Store against a model")
struct StoreModelTests {
    private static let length = 5 * StoreBytes.block + 1234

    /// What must be there: bytes that were written, and the blocks of them that were committed.
    private struct Model {
        var version: UInt64 = 1
        var written = RangeSet()
        var durable = RangeSet()

        mutating func commit() {
            for block in UInt32(0)...5 {
                let range = BlockMap(length: StoreModelTests.length).range(of: block)
                if written.contains(range) { durable.insert(range) }
            }
        }
    }

    @Test("random writes, commits, kills and versions", arguments: 1...8 as ClosedRange<UInt64>)
    func random(_ seed: UInt64) throws {
        var random = SeededRandom(state: seed)
        let trial = try StoreTrial()
        var wholes = (UInt64(0)...1).map { StoreBytes.make(Self.length, version: $0 + 1) }
        var (model, file) = (Model(), Optional(try trial.open()))
        _ = try file?.bind(version(model))
        for step in 0..<120 {
            let note = Comment("seed \(seed), step \(step)")
            switch random.below(12) {
            case 0...6:
                let start = random.below(Self.length)
                let end = min(Self.length, start + random.below(StoreBytes.block * 3 / 2))
                try file?.write(wholes[Int(model.version % 2)], start..<end)
                model.written.insert(start..<end)
                if model.written.byteCount == Self.length { model.commit() }
            case 7, 8:
                try file?.commit()
                model.commit()
            case 9, 10:
                // A process that is gone has committed nothing more.
                file = nil
                model.written = model.durable
                file = try trial.open()
                #expect(try file?.bind(version(model)) == .kept, note)
            default:
                guard random.below(4) == 0 else { continue }
                model = Model(version: model.version + 1)
                let next = StoreBytes.make(Self.length, version: model.version)
                wholes[Int(model.version % 2)] = next
                #expect(try file?.bind(version(model)) == .startedOver, note)
            }
            let held = try #require(file)
            try #require(held.status.present == model.written, note)
            try #require(try held.isTrue(to: wholes[Int(model.version % 2)]), note)
        }
    }

    private func version(_ model: Model) -> SourceVersion {
        SourceVersion(validator: "\"\(model.version)\"", length: Self.length)
    }
}
