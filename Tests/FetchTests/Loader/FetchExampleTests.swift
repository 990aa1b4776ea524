import Foundation
import TakeupFetch
import TakeupLanes
import TestSupport
import Testing

@Suite("The fetcher's example")
struct FetchExampleTests {
    @Test("reads what comes, and is told what happens")
    func runsExample() async throws {
        let directory = try TemporaryDirectory()
        let origin = try TestOrigin()
        defer { origin.stop() }
        let content = LoaderTrial.content(600_000)
        origin.serve("/clip.mov", OriginObject(content))
        let (path, address) = (directory.file("sources"), origin.url("/clip.mov"))
        let logs = Locked<[SessionLog]>([])

        // The module's lines, with this address and the network that it is in.
        let store = try SourceStore(path: path) { Date().timeIntervalSince1970 }
        let library = SourceLibrary(store: store, settings: LoaderTrial.settings()) { log in
            logs.withLock { $0.append(log) }
        }
        let loader = try library.loader(for: address)
        let events = loader.events()
        let watcher = Task { await events.reduce(into: []) { $0.append($1) } }
        let found = try await Lane("test").run { () throws -> (ContentInformation, [UInt8]) in
            let information = try loader.information()
            let reader = loader.reader()
            var head = [UInt8](repeating: 0, count: 4096)
            let count = try head.withUnsafeMutableBytes { room in
                try reader.read(into: room, at: 0)
            }
            loader.close()
            return (information, Array(head[..<count]))
        }

        #expect(found.0.length == 600_000 && found.0.supportsRanges)
        #expect(try found.1 == content.read(0..<Int64(found.1.count)) && !found.1.isEmpty)
        let log = try #require(logs.withLock { $0.first })
        #expect(log.deliveredBytes == Int64(found.1.count))
        #expect(await watcher.value.last == .log(log))
    }
}
