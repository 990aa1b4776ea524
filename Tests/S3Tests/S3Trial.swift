import Foundation
import TakeupDigest
import TakeupLanes
import TakeupModel
import TestSupport

@testable import TakeupS3

/// A server with one bucket, and a client that does not wait between tries.
struct S3Trial: ~Copyable {
    /// Something that a test needs and could not make.
    struct Missing: Error {
        let what: String
    }

    let folder: TemporaryDirectory
    let server: S3Server
    /// The pauses that clients made, in seconds.
    let pauses = Locked<[Double]>([])

    init() throws {
        let folder = try TemporaryDirectory()
        server = try S3Server(folder: folder.file("buckets"))
        self.folder = folder
    }

    func client(
        port: UInt16? = nil, _ changes: [String: String] = [:],
        renew: @escaping @Sendable () -> S3Credentials? = { nil }
    ) throws -> S3Client {
        var environment = S3Server.environment(port: port ?? server.port)
        environment.merge(changes) { $1 }
        let pauses = pauses
        return S3Client(
            try S3Settings(environment: environment) { _ in nil },
            pause: { seconds in pauses.withLock { $0.append(seconds) } }, renew: renew)
    }

    static func object(_ key: String, in bucket: String = "films") throws -> S3Address {
        guard let address = S3Address(bucket: bucket, key: key) else {
            throw Missing(what: "an address for \(key)")
        }
        return address
    }

    /// A file of bytes that repeat nowhere near a part, open for reading and writing.
    func file(_ bytes: Int) throws -> (descriptor: Int32, sha256: String) {
        let descriptor = open(folder.file(UUID().uuidString), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        var content = [UInt8](repeating: 0, count: bytes)
        var random = SeededRandom(state: UInt64(bytes))
        for place in stride(from: 0, to: bytes - bytes % 8, by: 8) {
            var word = random.next()
            for offset in 0..<8 {
                content[place + offset] = UInt8(truncatingIfNeeded: word)
                word >>= 8
            }
        }
        guard pwrite(descriptor, content, bytes, 0) == bytes,
            let hash = try SHA256Digest.ofFile(descriptor, isStopped: { false })
        else { throw Missing(what: "a file of \(bytes) bytes") }
        return (descriptor, hash)
    }

    /// As `sha256sum` prints it.
    func sha256(of path: String) throws -> String {
        String(try Subprocess.run("sha256sum", [path]).outputText.prefix(64))
    }
}
