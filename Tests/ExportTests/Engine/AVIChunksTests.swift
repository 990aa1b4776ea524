import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("Chunks of an AVI")
struct AVIChunksTests {
    private typealias Bytes = [UInt8]

    private static func number(_ value: Int, _ bytes: Int = 4) -> Bytes {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func chunk(
        _ name: String, _ content: Bytes, size: Int? = nil, isPadded: Bool = true
    ) -> Bytes {
        let padding: Bytes = isPadded && content.count % 2 == 1 ? [0] : []
        return Array(name.utf8) + number(size ?? content.count) + content + padding
    }

    private static func list(_ kind: String, _ content: Bytes, size: Int? = nil) -> Bytes {
        chunk("LIST", Array(kind.utf8) + content, size: size)
    }

    /// A picture track of 25 a second, and sound of 8,000 bytes a second.
    private static let header: Bytes = {
        let video =
            Array("vidsMJPG".utf8) + number(0) + number(0) + number(0) + number(1) + number(25)
            + number(0) + number(10) + number(0) + number(0) + number(0) + number(0, 8)
        let audio =
            Array("auds".utf8) + number(1) + number(0) + number(0) + number(0) + number(1)
            + number(8000) + number(0) + number(3200) + number(0) + number(0) + number(1)
            + number(0, 8)
        return list("hdrl", list("strl", chunk("strh", video)) + list("strl", chunk("strh", audio)))
    }()

    private static let picture = chunk("00dc", Bytes(repeating: 9, count: 100))
    private static let repeated = chunk("00dc", [])
    private static let sound = chunk("01wb", Bytes(repeating: 8, count: 320))
    private static let pair = picture + sound
    private static let palette = chunk("00pc", Bytes(repeating: 7, count: 24))

    private static func times(_ count: Int, _ bytes: Bytes) -> Bytes {
        (0..<count).flatMap { _ in bytes }
    }

    private static func file(_ media: Bytes, before: Bytes = [], movi: Int? = nil) -> Bytes {
        let inside =
            Array("AVI ".utf8) + header + before + list("movi", media, size: movi)
            + chunk("idx1", number(0, 16))
        return chunk("RIFF", inside)
    }

    struct Case: CustomTestStringConvertible {
        let testDescription: String
        fileprivate let bytes: [UInt8]
        var pictures: Int64 = 10
        var sound: Int64 = 3200
        var isBroken = false
        var isCut = false
    }

    private static let hole = times(5, pair) + Bytes(repeating: 0, count: 420) + times(4, pair)
    private static let bare = chunk("JUNK", [1, 2, 3], isPadded: false)

    static let cases = [
        Case(testDescription: "whole", bytes: file(times(10, pair))),
        Case(
            testDescription: "repeated pictures",
            bytes: file(times(5, picture + repeated) + times(10, sound))),
        Case(
            testDescription: "filled up with zeros to sectors",
            bytes: file(times(10, pair + Bytes(repeating: 0, count: 64))), isBroken: true),
        Case(
            testDescription: "lists of records",
            bytes: file(times(10, list("rec ", pair)))),
        Case(
            testDescription: "a hole", bytes: file(hole), pictures: 9, sound: 2880, isBroken: true),
        Case(
            testDescription: "a hole behind a chunk without its padding",
            bytes: file(hole, before: bare), pictures: 9, sound: 2880, isBroken: true),
        Case(
            testDescription: "a hole, by a recorder that stopped",
            bytes: file(hole, movi: 0), pictures: 9, sound: 2880, isBroken: true),
        Case(
            testDescription: "a list that ends behind the file",
            bytes: Bytes(file(times(10, pair)).dropLast(24 + 432)), pictures: 9, sound: 2880,
            isCut: true),
        Case(
            testDescription: "a palette for each picture",
            bytes: Bytes(file(times(10, palette + pair)).dropLast(24 + 464)), pictures: 9,
            sound: 2880, isCut: true),
        Case(
            testDescription: "names that are no one's",
            bytes: file(times(10, chunk("00xy", Bytes(repeating: 9, count: 100)) + sound))),
        Case(
            testDescription: "an index of each stream",
            bytes: file(times(10, pair) + chunk("00ix", number(0, 24)))),
        Case(
            testDescription: "zeros at the end",
            bytes: file(times(7, pair) + Bytes(repeating: 0, count: 3 * 436)), pictures: 7,
            sound: 2240, isBroken: true),
    ]

    @Test("each stream's chunks are counted, behind what is broken too", arguments: cases)
    func counts(trial: Case) throws {
        let window = try #require(ByteWindow(MemorySource(trial.bytes)))
        let found = AVIChunks(window)
        #expect(found.streams.map(\.declared) == [10, 3200])
        #expect(found.streams.map(\.found) == [trial.pictures, trial.sound])
        #expect(found.streams.map(\.unit) == [Ratio(1, 25), Ratio(1, 8000)])
        #expect((found.broken != nil) == trial.isBroken)
        #expect(found.isCut == trial.isCut)
    }

    @Test("the numbers of streams are decimal")
    func decimal() throws {
        let stream = Self.list("strl", Self.chunk("strh", Array("vids".utf8) + Self.number(0, 52)))
        let headers = Self.list("hdrl", Self.times(17, stream))
        let media = Self.list("movi", Self.chunk("10dc", [1, 2]) + Self.chunk("09dc", [1, 2]))
        let bytes = Self.chunk("RIFF", Array("AVI ".utf8) + headers + media)
        let found = AVIChunks(try #require(ByteWindow(MemorySource(bytes))))
        #expect(found.streams.indices.filter { found.streams[$0].chunks > 0 } == [9, 10])
    }

    @Test("streams count before the media, and as many as can be read")
    func streams() throws {
        let stream = Self.list("strl", Self.chunk("strh", []))
        let late = Self.file(Self.pair) + Self.times(10, stream)
        let many = Self.chunk("RIFF", Array("AVI ".utf8) + Self.times(2000, stream))
        for (bytes, count) in [(late, 2), (many, 1000)] {
            let window = try #require(ByteWindow(MemorySource(bytes)))
            #expect(AVIChunks(window).streams.count == count)
        }
    }

    @Test("every cut of a file, and every byte of it turned over, is taken")
    func hostile() throws {
        let bytes = Self.file(Self.times(2, Self.pair))
        for place in bytes.indices {
            var turned = bytes
            turned[place] ^= 0xFF
            for candidate in [Bytes(bytes.prefix(place)), turned] {
                let window = try #require(ByteWindow(MemorySource(candidate)))
                #expect(AVIChunks(window).streams.count <= 2)
            }
        }
    }
}
