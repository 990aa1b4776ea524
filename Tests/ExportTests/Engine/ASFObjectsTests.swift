import Testing

@testable import TakeupExport

@Suite("Objects of an ASF header")
struct ASFObjectsTests {
    private typealias Bytes = [UInt8]

    private func object(_ identifier: Bytes, _ content: Bytes, size: Int? = nil) -> Bytes {
        identifier + number(size ?? 24 + content.count, bytes: 8) + content
    }

    private func number(_ value: Int, bytes: Int) -> Bytes {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func header(_ objects: Bytes) -> Bytes {
        object(ASFObjects.header, number(1, bytes: 4) + [1, 2] + objects)
    }

    private func identifiers(_ bytes: Bytes) throws -> [Bytes]? {
        let window = try #require(ByteWindow(MemorySource(bytes)))
        return ASFObjects(window)?.all.map(\.identifier)
    }

    private let extended = Bytes(repeating: 0, count: 22)

    @Test("objects within the header extension come behind it, and what follows it too")
    func nested() throws {
        let inner = object(ASFObjects.encryptions[2], [1, 2, 3])
        let found = try identifiers(
            header(
                object(ASFObjects.fileProperties, [9])
                    + object(ASFObjects.headerExtension, extended + inner)
                    + object(ASFObjects.streamProperties, [])))
        #expect(
            found == [
                ASFObjects.fileProperties, ASFObjects.headerExtension, ASFObjects.encryptions[2],
                ASFObjects.streamProperties,
            ])
    }

    @Test("a broken object within the extension does not hide what follows")
    func broken() throws {
        for size in [0, 23, 1_000_000, Int.max] {
            let inner = object(ASFObjects.data, [], size: size)
            let found = try identifiers(
                header(
                    object(ASFObjects.headerExtension, extended + inner)
                        + object(ASFObjects.streamProperties, [])))
            #expect(found == [ASFObjects.headerExtension, ASFObjects.streamProperties])
        }
    }

    @Test("a header of very many objects, within each other or not, is not followed for ever")
    func many() throws {
        var within = Bytes()
        for _ in 0..<20_000 {
            within += ASFObjects.headerExtension + number(Int.max, bytes: 8) + extended
        }
        let sizes = stride(from: 0, to: within.count, by: 46)
        for place in sizes {
            within.replaceSubrange(
                place + 16..<place + 24, with: number(within.count - place, bytes: 8))
        }
        #expect(try identifiers(header(within))?.count == 10_000)
        let beside = (0..<20_000).flatMap { _ in object(ASFObjects.data, []) }
        #expect(try identifiers(header(beside))?.count == 10_000)
    }

    @Test("what is no ASF has none")
    func others() throws {
        #expect(try identifiers([]) == nil)
        #expect(try identifiers(Bytes(ASFObjects.header.prefix(15))) == nil)
        #expect(try identifiers(Bytes(repeating: 0x30, count: 100)) == nil)
    }
}
