import Foundation
import TakeupProcess
import TestSupport
import Testing

@Suite("MessageSocket")
struct MessageSocketTests {
    private func receive(
        _ socket: MessageSocket, timeoutSeconds: Double = 5
    ) throws -> (bytes: [UInt8], descriptors: [Int32])? {
        switch try socket.receive(timeoutSeconds: timeoutSeconds) {
        case .message(let bytes, let descriptors): (bytes, descriptors)
        case .timeout, .end: nil
        }
    }

    @Test("messages arrive whole and in order, up to the longest", arguments: [1, 70_000, 262_144])
    func messages(count: Int) throws {
        let (left, right) = try MessageSocket.pair()
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        try left.send(message)
        #expect(try receive(right)?.bytes == message)
        try right.send([1])
        try right.send([2, 3])
        #expect(try receive(left)?.bytes == [1])
        #expect(try receive(left)?.bytes == [2, 3])
    }

    @Test("open files go along", arguments: [1, 250])
    func descriptors(count: Int) throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Data("content".utf8), to: "file")
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let (left, right) = try MessageSocket.pair()
        try left.send([1], Array(repeating: file, count: count))
        let descriptors = try #require(try receive(right)).descriptors
        defer { for descriptor in descriptors { close(descriptor) } }
        #expect(descriptors.count == count)
        var bytes = [UInt8](repeating: 0, count: 7)
        #expect(pread(try #require(descriptors.last), &bytes, 7, 0) == 7)
        #expect(bytes == Array("content".utf8))
        #expect(descriptors.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
    }

    @Test("what is beyond the limits is refused")
    func limits() throws {
        let (left, _) = try MessageSocket.pair()
        for bytes in [[], [UInt8](repeating: 0, count: MessageSocket.longest + 1)] {
            let error = #expect(throws: ProcessError.self) { try left.send(bytes) }
            #expect(error?.errno == EMSGSIZE)
        }
        let many = #expect(throws: ProcessError.self) {
            try left.send([1], Array(repeating: 0, count: 251))
        }
        #expect(many?.errno == EMSGSIZE)
    }

    @Test("a closed end is the end, and nothing to send to")
    func end() throws {
        let (left, right) = try MessageSocket.pair()
        try right.send([1])
        right.shutDown()
        #expect(try receive(left)?.bytes == [1])
        guard case .end = try left.receive(timeoutSeconds: 5) else {
            Issue.record("no end")
            return
        }
        let error = #expect(throws: ProcessError.self) { try left.send([1]) }
        #expect(error?.errno == EPIPE)
    }

    @Test("waiting ends with its time")
    func timeout() throws {
        let (left, right) = try MessageSocket.pair()
        #expect(try receive(left, timeoutSeconds: 0.01) == nil)
        let full = #expect(throws: ProcessError.self) {
            while true { try right.send([UInt8](repeating: 0, count: 65536), timeoutSeconds: 0.01) }
        }
        #expect(full?.errno == ETIMEDOUT)
    }
}
