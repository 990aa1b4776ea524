import TakeupFetch
import Testing

@Suite("Origin body")
struct OriginBodyTests {
    static let promised = OriginBody(start: 500, count: 500, version: EntityVersion(length: 1000))
    static let open = OriginBody(start: 0, count: nil, version: EntityVersion())

    @Test("is whole when every promised byte came", arguments: [true, false])
    func whole(endedWell: Bool) {
        #expect(Self.promised.end(received: 500, endedWell: endedWell) == .whole)
    }

    @Test("is cut where a promised byte is missing, however the transfer ended")
    func cut() {
        #expect(Self.promised.end(received: 499, endedWell: true) == .cut(at: 999))
        #expect(Self.promised.end(received: 0, endedWell: false) == .cut(at: 500))
    }

    @Test("has grown when more came than was promised")
    func grown() {
        #expect(Self.promised.end(received: 501, endedWell: true) == .grown)
    }

    @Test("tells the length when nothing was promised and the transfer ended well")
    func length() {
        #expect(Self.open.end(received: 77, endedWell: true) == .length(77))
        #expect(Self.open.end(received: 77, endedWell: false) == .cut(at: 77))
    }
}
