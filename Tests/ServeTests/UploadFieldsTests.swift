import Foundation
import TestSupport
import Testing

@testable import TakeupServe

@Suite("What a request says of an upload's bytes")
struct UploadFieldsTests {
    private static let bytes = Array("0123456789".utf8)

    @Test("the checksum of a single body is compared, whatever field states it")
    func checksums() throws {
        let trial = try JobTrial()
        let folder = try TemporaryDirectory()
        try Data(Self.bytes).write(to: URL(filePath: folder.file("a")))
        func digest(_ name: String) throws -> String {
            try Subprocess.run(
                "sh", ["-c", "openssl dgst -\(name) -binary '\(folder.file("a"))' | base64 -w0"]
            ).outputText
        }
        let (sha1, sha256) = (try digest("sha1"), try digest("sha256"))
        let wrong = try digest("sha512")
        func send(_ field: (String, String)) throws -> JobReply {
            try trial.ask(
                "POST", "/v1/uploads?name=a", bytes: Self.bytes,
                [("Content-Type", "application/octet-stream"), field])
        }
        for right in [
            ("Upload-Checksum", "sha1 \(sha1)"), ("Content-Digest", "sha-256=:\(sha256):"),
            ("Repr-Digest", "crc32=:AAAA:, sha-512=:\(wrong):"), ("Content-Encoding", "identity"),
        ] {
            let reply = try send(right)
            #expect(reply.status == 201, "\(right) \(reply.text)")
        }
        let other = "A" + sha256.dropFirst()
        let count = 4
        for (field, status) in [
            (("Upload-Checksum", "sha256 \(other)"), 460),
            (("Content-Digest", "sha-256=:\(other):"), 460),
            (("Repr-Digest", "sha-256=:\(other):"), 460),
            (("Repr-Digest", "sha-256=:AAAA:"), 400), (("Upload-Checksum", "sha1 AAAA"), 400),
            (("Content-Encoding", "gzip"), 415), (("Content-Range", "bytes 0-9/20"), 400),
        ] {
            let reply = try send(field)
            #expect(reply.status == status, "\(field) \(reply.text)")
        }
        #expect(try trial.tools.desk.uploads.ids().count == count)
    }
}
