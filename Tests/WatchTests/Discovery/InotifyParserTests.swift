import Testing

@testable import TakeupWatch

@Suite("Inotify parser")
struct InotifyParserTests {
    private func parsed(_ bytes: [UInt8]) -> (events: [InotifyEvent], isWhole: Bool) {
        var events: [InotifyEvent] = []
        let isWhole = bytes.withUnsafeBytes { InotifyParser.parse($0) { events.append($0) } }
        return (events, isWhole)
    }

    @Test("reads watch, kinds and name, padded or not")
    func events() {
        let bytes =
            EventBytes.of(3, .created, Array("a.mkv".utf8), padding: 11)
            + EventBytes.of(4, [.deleted, .ofFolder], Array("b".utf8), padding: 0)
            + EventBytes.of(5, .attributes) + EventBytes.of(6, .movedTo, [0xFF, 0x61])
        let (events, isWhole) = parsed(bytes)
        #expect(isWhole)
        #expect(
            events == [
                InotifyEvent(watch: 3, kinds: .created, name: .text("a.mkv")),
                InotifyEvent(watch: 4, kinds: [.deleted, .ofFolder], name: .text("b")),
                InotifyEvent(watch: 5, kinds: .attributes, name: .none),
                InotifyEvent(watch: 6, kinds: .movedTo, name: .notUTF8),
            ])
    }

    @Test("bytes that end within an event are told, and those before it read", arguments: 1..<32)
    func truncated(missing: Int) {
        let first = EventBytes.of(1, .created, Array("x".utf8), padding: 15)
        let second = EventBytes.of(2, .deleted, Array("y".utf8), padding: 15)
        let (events, isWhole) = parsed(Array((first + second).dropLast(missing)))
        #expect(!isWhole)
        #expect(events.map(\.watch) == [1])
    }

    @Test("a name that claims more bytes than there are is not read")
    func liar() {
        var bytes = EventBytes.of(1, .created, Array("x".utf8), padding: 15)
        bytes.replaceSubrange(12..<16, with: [255, 255, 255, 255])
        let (events, isWhole) = parsed(bytes)
        #expect(!isWhole && events.isEmpty)
    }

    @Test("no bytes are no events")
    func none() {
        let (events, isWhole) = parsed([])
        #expect(isWhole && events.isEmpty)
    }
}
