import Testing

@testable import TakeupFetch

@Suite("Subscriptions to a session")
struct EventHubTests {
    private func progress(_ bytes: Int64) -> FetchEvent {
        .progress(presentBytes: bytes, totalBytes: nil)
    }

    @Test("last as long as their streams, each by itself")
    func scoped() async {
        let hub = EventHub()
        let kept = hub.subscribe()
        do {
            let dropped = hub.subscribe()
            hub.send(.began)
            var first: FetchEvent?
            for await event in dropped {
                first = event
                break
            }
            #expect(first == .began)
        }
        #expect(hub.hasSubscribers)
        hub.finish(.finished)
        #expect(!hub.hasSubscribers)
        let events = await kept.reduce(into: []) { $0.append($1) }
        #expect(events == [.began, .finished])
        #expect(await hub.subscribe().reduce(0) { count, _ in count + 1 } == 0)
    }

    @Test("end with their streams, so that nothing is kept for who has gone")
    func dropped() {
        let hub = EventHub()
        do {
            let stream = hub.subscribe()
            #expect(hub.hasSubscribers)
            withExtendedLifetime(stream) {}
        }
        #expect(!hub.hasSubscribers)
    }

    @Test("lose the oldest events of who does not keep up, never the last")
    func bounded() async {
        let hub = EventHub()
        let stream = hub.subscribe()
        for bytes in 0..<300 { hub.send(progress(Int64(bytes))) }
        hub.finish(.finished)
        let events = await stream.reduce(into: []) { $0.append($1) }
        #expect(events.count == 256)
        #expect(events.first == progress(45))
        #expect(events.last == .finished)
    }
}
