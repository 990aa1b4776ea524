import Foundation
import TakeupDigest
import TestSupport
import Testing

@Suite("Running digest")
struct RunningDigestTests {
    @Test(
        "has the digits that the standards give",
        arguments: [
            (
                DigestAlgorithm.sha256, "abc",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            ),
            (
                .sha512, "abc",
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
            (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
            (.crc32c, "123456789", "e3069283"),
        ])
    func vectors(algorithm: DigestAlgorithm, text: String, digits: String) throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("text")
        try Data(text.utf8).write(to: URL(filePath: path))
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(try RunningDigest(algorithm)?.finish(descriptor) == digits)
        let split = try #require(RunningDigest(algorithm))
        split.update(Array(text.utf8.prefix(2)))
        #expect(try split.finish(descriptor, from: 2) == digits)
        #expect(digits.utf8.count == 2 * algorithm.byteCount)
    }
}
