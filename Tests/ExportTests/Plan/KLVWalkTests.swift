import Testing

@testable import TakeupExport

@Suite("Keys and lengths of an MXF")
struct KLVWalkTests {
    private typealias Bytes = [UInt8]

    private static func element(_ key: Bytes, _ value: Bytes) -> Bytes {
        let length = (0..<4).reversed().map { UInt8(truncatingIfNeeded: value.count >> (8 * $0)) }
        return [0x06, 0x0E, 0x2B, 0x34] + key + [0x84] + length + value
    }

    /// A partition pack, or the random index pack, whose kind is the fourteenth byte of its key.
    private static func pack(_ kind: UInt8, footer: UInt8 = 0) -> Bytes {
        let key: Bytes = [2, 5, 1, 1, 0x0D, 1, 2, 1, 1, kind, 4, 0]
        return element(
            key, Bytes(repeating: 0, count: 31) + [footer] + Bytes(repeating: 0, count: 9))
    }

    private static let picture = element(
        [1, 2, 1, 1, 0x0D, 1, 3, 1, 0x15, 1, 5, 0], Bytes(repeating: 9, count: 100))
    private static let media = pack(2) + picture + picture
    private static let zeros = Bytes(repeating: 0, count: 1000)
    private static let words = Bytes(repeating: 7, count: 1000)
    private static let long = Bytes(repeating: 7, count: 70_000)

    struct Case: CustomTestStringConvertible {
        let testDescription: String
        fileprivate let bytes: [UInt8]
        var isCut = false
    }

    static let cases = [
        Case(testDescription: "whole", bytes: media + pack(4)),
        Case(testDescription: "without a footer, as from a pipe", bytes: media),
        Case(testDescription: "zeros behind the footer", bytes: media + pack(4) + zeros),
        Case(testDescription: "zeros behind the index", bytes: media + pack(0x11) + zeros),
        Case(testDescription: "much behind the footer", bytes: media + pack(4) + long),
        Case(testDescription: "words behind the last picture", bytes: media + words),
        Case(testDescription: "zeros behind the last picture", bytes: media + zeros, isCut: true),
        Case(testDescription: "much behind the last picture", bytes: media + long, isCut: true),
        Case(
            testDescription: "zeros before a footer that is told",
            bytes: pack(2, footer: 200) + zeros, isCut: true),
        Case(
            testDescription: "zeros behind a footer that is told",
            bytes: pack(2, footer: 62) + pack(4) + zeros),
    ]

    @Test(
        "a tail is junk where the end was passed, or it looks like none of the media",
        arguments: cases)
    func tails(trial: Case) throws {
        let window = try #require(ByteWindow(MemorySource(trial.bytes)))
        #expect(KLVWalk(window).fault() == (trial.isCut ? .cut : nil))
    }
}
