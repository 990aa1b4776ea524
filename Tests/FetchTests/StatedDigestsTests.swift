import Foundation
import TakeupCurl
import TakeupDigest
import Testing

@testable import TakeupFetch

@Suite("Stated digests")
struct StatedDigestsTests {
    private static func base64(_ count: Int, _ byte: UInt8 = 0xA1) -> String {
        Data(repeating: byte, count: count).base64EncodedString()
    }

    private static let sha256 = base64(32)
    private static let sha512 = base64(64)
    private static let md5 = base64(16)
    private static let crc32c = base64(4)

    private func read(
        _ fields: [(String, String)], status: Int = 206, isWhole: Bool = false
    ) -> StatedDigests {
        StatedDigests(
            ResponseHead(
                status: status, fields: fields.map { .init(name: $0.0, value: $0.1) }),
            isWhole: isWhole)
    }

    @Test(
        "what speaks of the whole object is read of every answer",
        arguments: [
            ("Repr-Digest", "sha-256=:\(sha256):", [DigestAlgorithm.sha256]),
            ("Repr-Digest", "sha-512=:\(sha512):;a=1 , sha-256=:\(sha256):", [.sha512, .sha256]),
            ("Repr-Digest", "sha-256=:\(sha256.dropLast()):", [.sha256]),
            ("Repr-Digest", "unixsum=:AA==:, md5=:\(md5):", [.md5]),
            ("Digest", "SHA-256=\(sha256),unixsum=30637", [.sha256]),
            ("Digest", "md5=\(md5), sha-512=\(sha512)", [.md5, .sha512]),
            ("x-goog-hash", "crc32c=\(crc32c),md5=\(md5)", [.crc32c, .md5]),
        ])
    func ofObject(name: String, value: String, algorithms: [DigestAlgorithm]) {
        let stated = read([(name, value)])
        #expect(stated.digests.map(\.algorithm) == algorithms)
        for digest in stated.digests {
            #expect(digest.field == name)
            #expect(digest.digits == String(repeating: "a1", count: digest.algorithm.byteCount))
        }
    }

    @Test(
        "what speaks of the body is read where that is the whole object",
        arguments: [
            ("Content-MD5", md5, DigestAlgorithm.md5),
            ("Content-Digest", "sha-256=:\(sha256):", .sha256),
            ("x-amz-checksum-sha256", sha256, .sha256), ("x-amz-checksum-crc32c", crc32c, .crc32c),
        ])
    func ofBody(name: String, value: String, algorithm: DigestAlgorithm) {
        #expect(read([(name, value)]).isEmpty)
        #expect(read([(name, value)], isWhole: true).digests.map(\.algorithm) == [algorithm])
    }

    @Test(
        "what is malformed, unknown or of other bytes states nothing",
        arguments: [
            [("Repr-Digest", "")], [("Repr-Digest", "sha-256")], [("Repr-Digest", "sha-256=")],
            [("Repr-Digest", "sha-256=\(sha256)")], [("Repr-Digest", "sha-256=:\(sha256)")],
            [("Repr-Digest", "sha-256=:\(sha256):x")], [("Repr-Digest", "SHA-256=:\(sha256):")],
            [("Repr-Digest", "sha-256=:\(md5):")], [("Repr-Digest", "sha-256=:####:")],
            [("Repr-Digest", "a=\"x,sha-256=:\(sha256):,y\"")],
            [("Digest", "SHA-256=" + String(repeating: "a1", count: 32))], [("Digest", "=,=,,")],
            [("Digest", "crc32c=\(crc32c)")], [("Content-MD5", "\(md5)\(md5)")],
            [("Content-MD5", "")], [("x-goog-hash", "md5=\(crc32c)")],
            [("x-goog-hash", "MD5=\(md5)")], [("x-amz-checksum-sha256", "\(sha256)-3")],
            [("x-amz-checksum-sha256", sha256), ("x-amz-checksum-type", "COMPOSITE")],
            [("x-goog-hash", "md5=\(md5)"), ("x-goog-stored-content-encoding", "gzip")],
            [
                ("x-goog-hash", "md5=\(md5)"),
                ("X-GUploader-Response-Body-Transformations", "gunzipped"),
            ],
        ])
    func nothing(fields: [(String, String)]) {
        #expect(read(fields, isWhole: true).isEmpty)
    }

    @Test("one that is stored as it comes counts, and fields may come several times")
    func several() {
        let stated = read([
            ("x-goog-hash", "crc32c=\(Self.crc32c)"), ("x-goog-hash", "md5=\(Self.md5)"),
            ("x-goog-stored-content-encoding", "identity"),
        ])
        #expect(stated.digests.map(\.algorithm) == [.crc32c, .md5])
    }

    @Test("two values for one algorithm state nothing, in one answer or in two")
    func disputed() {
        let (one, other) = ("sha-256=:\(Self.sha256):", "sha-256=:\(Self.base64(32, 2)):")
        let both = read([("Repr-Digest", "\(one), \(other)")])
        #expect(both.digests.isEmpty && both.disputed == [.sha256])
        #expect(
            read([("Repr-Digest", one), ("Digest", "SHA-256=\(Self.sha256)")]).digests.count == 1)
        var known = read([("Repr-Digest", one), ("Digest", "MD5=\(Self.md5)")])
        known.add(read([("Repr-Digest", one)]))
        #expect(known.digests.count == 2 && known.disputed.isEmpty)
        known.add(read([("Repr-Digest", other)]))
        known.add(read([("Repr-Digest", one)]))
        #expect(known.digests.map(\.algorithm) == [.md5])
    }
}
