import TakeupLanes
import TestSupport
import Testing

@testable import TakeupS3

@Suite("S3 client and bytes that belong to no answer")
struct S3StrayBytesTests {
    @Test("bytes behind a body cost a connection, and no try")
    func behindBodies() throws {
        let origin = try TestOrigin()
        defer { origin.stop() }
        var object = OriginObject(.bytes(Array("words".utf8)))
        object.faults.framing = .lengthAndMore
        origin.serve("/films/a.txt", object)
        let pauses = Locked(0)
        let client = S3Client(
            try S3Settings(environment: S3Server.environment(port: origin.port)) { _ in nil },
            pause: { _ in pauses.withLock { $0 += 1 } })
        for _ in 1...3 {
            let bytes = try client.read(S3Trial.object("a.txt"), most: 100)
            #expect(bytes == Array("words".utf8))
        }
        #expect(pauses.withLock { $0 } == 0)
    }
}
