import Foundation
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Resource loader")
struct ResourceLoaderTests {
    @Test("tells what a source is, and gives its bytes")
    func tellsAndGives() throws {
        let trial = try LoaderTrial()
        let content = LoaderTrial.content(3_000_001)
        trial.origin.serve("/a.mp4", OriginObject(content))
        let loader = try trial.loader()
        let information = try loader.information()
        #expect(information.length == 3_000_001)
        #expect(information.contentType == "video/mp4")
        #expect(information.supportsRanges)
        let reader = loader.reader()
        #expect(try reader.everything() == LoaderTrial.bytes(content))
        #expect(try reader.some(10, at: 3_000_001).isEmpty)
        #expect(try reader.some(10, at: 9_000_001).isEmpty)
        #expect(loader.status.presentBytes == 3_000_001)
        #expect(trial.origin.bytesServed("/a.mp4") <= 3_000_001 + BlockMap.blockBytes)
    }

    @Test("gives the same session to everybody")
    func sharesSessions() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", OriginObject(LoaderTrial.content(1000)))
        let (first, second) = (try trial.loader(), try trial.loader())
        try first.waitUntilComplete()
        #expect(second.status == first.status)
        #expect(second.status.originRequests == 1)
        #expect(second.status.phase == .complete)
    }

    @Test("one pass and fifty seeks of 200 MB cost each byte once, a second pass none (C3)")
    func seeks() throws {
        let trial = try LoaderTrial()
        let length: Int64 = 200_000_000
        let content = LoaderTrial.content(length)
        trial.origin.serve("/a.mp4", OriginObject(content))
        var holes: Int64 = 0
        do {
            let loader = try trial.loader()
            let reader = loader.reader()
            var random = SeededRandom(state: 7)
            for _ in 0..<50 {
                let start = Int64(random.next() % UInt64(length - 100_000))
                let range = start..<start + 70_000
                #expect(try reader.all(range) == content.read(range))
                holes += 1
            }
            #expect(try reader.equals(content))
            try loader.waitUntilComplete()
        }
        let served = trial.origin.bytesServed("/a.mp4")
        #expect(served <= length + holes * BlockMap.blockBytes, "\(served - length) too many")
        let loader = try trial.another().loader(for: trial.origin.url("/a.mp4"))
        #expect(try loader.reader().equals(content))
        #expect(trial.origin.bytesServed("/a.mp4") == served)
    }

    @Test("a hundred cold readers cost the origin one object, and a slow one holds up none (C4)")
    func sharesBytes() throws {
        let trial = try LoaderTrial()
        let length: Int64 = 50_000_000
        let content = LoaderTrial.content(length)
        trial.origin.serve("/a.mp4", OriginObject(content))
        let bytes = try LoaderTrial.bytes(content)
        let (right, areDone) = (Locked(0), Cancellation())
        let (group, slowGroup) = (LaneGroup(), LaneGroup())
        let loader = try trial.loader()
        let slow = Locked<[UInt8]>([])
        slowGroup.start("slow") {
            let reader = loader.reader()
            // 10 KB/s: alone it would need more than an hour.
            while !areDone.isCancelled {
                let place = slow.withLock { Int64($0.count) }
                guard let more = try? reader.some(1000, at: place) else { return }
                slow.withLock { $0 += more }
                usleep(100_000)
            }
        }
        for _ in 0..<99 {
            group.start("reader") {
                let reader = loader.reader()
                guard (try? reader.equals(bytes)) == true else { return }
                right.withLock { $0 += 1 }
            }
        }
        group.wait()
        areDone.cancel()
        slowGroup.wait()
        #expect(right.withLock { $0 } == 99)
        let read = slow.withLock { $0 }
        #expect(!read.isEmpty && read.count < bytes.count / 10)
        #expect(read.isEqual(to: bytes, at: 0))
        #expect(Double(trial.origin.bytesServed("/a.mp4")) <= 1.01 * Double(length))
        #expect(trial.origin.totals.peakConnections == 1)
        #expect(trial.origin.totals.peakRequests == 1)
    }
}
