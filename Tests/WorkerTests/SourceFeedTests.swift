import Foundation
import TakeupFFmpeg
import TakeupFetch
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

@Suite("Source feed")
struct SourceFeedTests {
    @Test("messages come back as they were, and nothing else is one")
    func messages() {
        let question = FeedMessage.Question(number: .max - 1, offset: 1 << 40)
        #expect(FeedMessage.Question(question.bytes) == question)
        for outcome in [
            FeedMessage.Answer.Outcome.failed, .present(5..<(1 << 50)), .present(0..<0),
        ] {
            let answer = FeedMessage.Answer(number: 7, outcome)
            #expect(FeedMessage.Answer(answer.bytes) == answer)
        }
        #expect(FeedMessage.Question([UInt8](repeating: 255, count: 16)) == nil)
        #expect(FeedMessage.Question([]) == nil)
        #expect(FeedMessage.Answer([UInt8](repeating: 1, count: 32)) == nil)
        #expect(FeedMessage.Answer(question.bytes) == nil)
    }

    private func source(
        _ origin: TestOrigin, _ bytes: [UInt8], _ directory: borrowing TemporaryDirectory
    ) throws -> LoaderSource {
        let library = try RemoteTrial.library(beside: directory.file("cache"))
        let source = try LoaderSource(origin.url("/a.mp4"), from: library)
        try source.begin()
        return source
    }

    @Test("a helper's side reads what the origin has, from any place, and no more")
    func reads() throws {
        let origin = try TestOrigin()
        let directory = try TemporaryDirectory()
        defer { origin.stop() }
        let bytes = try RemoteTrial.clip()
        origin.serve("/a.mp4", OriginObject(.bytes(bytes)))
        let feed = try SourceFeed(try source(origin, bytes, directory))
        defer { feed.stop() }
        let file = RemoteFile(
            descriptor: feed.descriptors[0], socket: feed.descriptors[1], name: "a",
            byteCount: Int64(bytes.count))
        for start in [bytes.count - 10, 0, bytes.count / 2] {
            var part = [UInt8](repeating: 0, count: 1000)
            let count = try file.bytes(at: Int64(start), into: &part)
            #expect(Array(part[..<count]) == Array(bytes[start...].prefix(1000)))
        }
        var none = [UInt8](repeating: 0, count: 1)
        #expect(try file.bytes(at: Int64(bytes.count), into: &none) == 0)
        #expect(file.bytesRead == 2010)
    }

    @Test("the helper cannot write to the file that it is given")
    func readOnly() throws {
        let origin = try TestOrigin()
        let directory = try TemporaryDirectory()
        defer { origin.stop() }
        let bytes = try RemoteTrial.clip(seconds: 1)
        origin.serve("/a.mp4", OriginObject(.bytes(bytes)))
        let feed = try SourceFeed(try source(origin, bytes, directory))
        defer { feed.stop() }
        #expect(fcntl(feed.descriptors[0], F_GETFL) & O_ACCMODE == O_RDONLY)
    }

    @Test("whoever waits ends when the feed or the helper's side does")
    func ends() throws {
        let origin = try TestOrigin()
        let directory = try TemporaryDirectory()
        defer { origin.stop() }
        let bytes = try RemoteTrial.clip()
        var object = OriginObject(.bytes(bytes))
        object.faults.stalls = [OriginStall(at: Int64(bytes.count / 2), times: nil)]
        object.faults.ranges = .ignored
        origin.serve("/a.mp4", object)
        let feed = try SourceFeed(try source(origin, bytes, directory))
        let file = RemoteFile(
            descriptor: feed.descriptors[0], socket: feed.descriptors[1], name: "a",
            byteCount: Int64(bytes.count))
        let status = FailedRead()
        let thread = Thread {
            var byte = [UInt8](repeating: 0, count: 1)
            do throws(FFmpegError) {
                _ = try file.bytes(at: Int64(bytes.count - 1), into: &byte)
            } catch {
                status.end(error.status)
            }
        }
        thread.start()
        while !feed.isWaiting { usleep(1000) }
        feed.stop()
        #expect(status.wait() == .interrupted)
        file.cancel()
    }
}
